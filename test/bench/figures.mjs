import { GOALS } from './goals.mjs';

export const MB = 2 ** 20;

/** The value below which `share` of the values lie. */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const median = (values) => percentile(values, 0.5);

export const sum = (values) => values.reduce((total, value) => total + value, 0);

/** One row of a table. A name that has a goal is judged by it. */
export function figure(name, value, unit = '') {
  const goal = GOALS[name];
  if (goal === undefined) return { name, value, unit };
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = goal;
  return { name, value, unit, goal, met: shown(value) >= atLeast && shown(value) <= atMost };
}

/** p50 and p99 of some times in milliseconds. */
export const spread = (name, times) => [
  figure(`${name}, p50`, percentile(times, 0.5), 'ms'),
  figure(`${name}, p99`, percentile(times, 0.99), 'ms'),
];

/** Means over the second and the last tenth of some values. */
export function tenths(values) {
  const tenth = Math.ceil(values.length / 10);
  const mean = (some) => sum(some) / some.length;
  return { second: mean(values.slice(tenth, 2 * tenth)), last: mean(values.slice(-tenth)) };
}

/** The contestants with their figures in columns, where a table has them, and then its figures. */
export function renderTable({ title, contestants, figures }) {
  const rows = figures.map(({ name, value, unit, goal, met }) => [
    name,
    `${rounded(value)} ${unit}`.trim(),
    goal ? goalText(goal) : '',
    goal ? (met ? 'met' : 'missed') : '',
  ]);
  const table = (heading) => aligned([[heading, 'measured', 'goal', ''], ...rows], [1]);
  if (contestants === undefined) return table(title);
  const { columns, entries } = contestants;
  const cells = entries.map(({ name, values }) => [name, ...values.map(rounded)]);
  const numbers = [...columns.keys()].map((i) => i + 1);
  const compared = aligned([[title, ...columns], ...cells], numbers);
  return rows.length > 0 ? `${compared}\n\n${table('')}` : compared;
}

/** Columns of text, two spaces apart; those in `toTheRight` are numbers. */
function aligned(rows, toTheRight) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const pad = (cell, column) =>
    toTheRight.includes(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

export const goalText = ({ atLeast, atMost, unit = '' }) =>
  `${atLeast === undefined ? '≤' : '≥'} ${atLeast ?? atMost} ${unit}`.trim();

/** Three digits that count, and no fraction from 100 on. */
function digitsOf(value) {
  if (value === 0 || Math.abs(value) >= 100) return 0;
  return Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
}

/** What a table says of a value is what is judged. */
function shown(value) {
  return Number(value.toFixed(digitsOf(value)));
}

function rounded(value) {
  const digits = digitsOf(value);
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Shows on a terminal how far things are, in place of what stood there. */
export function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
