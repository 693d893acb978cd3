import { GOALS } from './goals.mjs';

/** The value below which `share` of the values lie. */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const sum = (values) => values.reduce((total, value) => total + value, 0);

/** One row of a table. A name that has a goal is judged by it. */
export function figure(name, value, unit = '') {
  const goal = GOALS[name];
  if (goal === undefined) return { name, value, unit };
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = goal;
  return { name, value, unit, goal, met: value >= atLeast && value <= atMost };
}

/** p50 and p99 of some times in milliseconds. */
export const spread = (name, times) => [
  figure(`${name}, p50`, percentile(times, 0.5), 'ms'),
  figure(`${name}, p99`, percentile(times, 0.99), 'ms'),
];

export function renderTable(title, figures) {
  const rows = figures.map(({ name, value, unit, goal, met }) => [
    name,
    `${rounded(value)} ${unit}`.trim(),
    goal ? goalText(goal) : '',
    goal ? (met ? 'met' : 'missed') : '',
  ]);
  const all = [[title, 'measured', 'goal', ''], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map(([name, value, goal, met]) =>
      `${name.padEnd(widths[0])}  ${value.padStart(widths[1])}  ${goal.padEnd(widths[2])}  ${met}`.trimEnd(),
    )
    .join('\n');
}

export const goalText = ({ atLeast, atMost, unit = '' }) =>
  `${atLeast === undefined ? '≤' : '≥'} ${atLeast ?? atMost} ${unit}`.trim();

/** Three digits that count, and no fraction from 100 on. */
function rounded(value) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Shows on a terminal how far things are, in place of what stood there. */
export function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
