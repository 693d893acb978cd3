import type { Finding, Inspection } from './inspection.ts';
import type { Level } from './inspection-rules.ts';
import { plural } from './render.ts';
import type { Shell } from './shell.ts';
import { printable } from './text.ts';

/** A verdict, then every finding with where it is; why it matters and what to change where its code is new. */
export function renderInspection(
  { target, ok, skills, findings }: Inspection,
  { bold, dim, green, red, yellow }: Shell['colors'],
): string {
  const counted = (level: Level) => plural(findings.filter((each) => each.level === level).length, level);
  const verdict = ok ? green(`good, ${plural(skills, 'skill')}`) : red(counted('error'));
  const lines = [`${bold(printable(target))}: ${verdict}, ${counted('warning')}, ${counted('note')}`];
  const color = { error: red, warning: yellow, note: (text: string) => text };
  const explained = new Set<string>();
  let document: string | undefined;
  for (const finding of findings) {
    const { level, code, why, change } = finding;
    if (finding.document !== document) {
      document = finding.document;
      if (document !== target) lines.push('', dim(printable(document, 500)));
    }
    const [head = '', ...details] = renderFinding(finding);
    lines.push(color[level](head), ...details);
    if (explained.has(code)) continue;
    explained.add(code);
    lines.push(dim(`      why       ${why}`), dim(`      change    ${change}`));
  }
  return lines.join('\n');
}

function renderFinding({ level, code, field, expected, actual, message, view }: Finding): string[] {
  const seenBy = view === undefined ? '' : ` (seen by ${printable(view, 100)})`;
  const place = field === '' ? 'the document' : printable(field, 300);
  const head = `  ${level} ${printable(code, 60)} ${place}${seenBy}`;
  if (expected === undefined || actual === undefined) return [head, `      ${printable(message, 500)}`];
  return [head, `      expected  ${printable(expected, 500)}`, `      actual    ${printable(actual, 500)}`];
}
