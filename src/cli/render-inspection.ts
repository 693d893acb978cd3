import type { Inspection, Problem } from './inspection.ts';
import { plural } from './render.ts';
import type { Shell } from './shell.ts';
import { printable } from './text.ts';

/** A verdict, then every violation with where it is and what was expected there, then the advice. */
export function renderInspection(
  inspection: Inspection,
  { bold, dim, green, red, yellow }: Shell['colors'],
): string {
  const { target, ok, skills, violations, advice } = inspection;
  const verdict = ok
    ? green(`good, ${plural(skills, 'skill')}`)
    : red(plural(violations.length, 'violation'));
  const lines = [`${bold(printable(target))}: ${verdict}, ${plural(advice.length, 'piece')} of advice`];
  let document: string | undefined;
  const under = (other: string) => {
    if (other === document) return;
    document = other;
    if (other !== target) lines.push('', dim(printable(other, 500)));
  };
  for (const violation of violations) {
    under(violation.document);
    lines.push(...renderProblem(violation).map((line, i) => (i === 0 ? red(line) : line)));
  }
  for (const { document: other, code, field, message } of advice) {
    under(other);
    lines.push(yellow(`  advice ${printable(code, 60)} ${place(field)}`), `      ${printable(message, 500)}`);
  }
  return lines.join('\n');
}

function renderProblem({ code, field, expected, actual, message }: Problem): string[] {
  const head = `  ${code} ${place(field)}`;
  if (expected === undefined || actual === undefined) return [head, `      ${printable(message, 500)}`];
  return [head, `      expected  ${printable(expected, 500)}`, `      actual    ${printable(actual, 500)}`];
}

const place = (field = ''): string => (field === '' ? 'the document' : printable(field, 300));
