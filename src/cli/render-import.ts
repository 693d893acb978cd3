import type { ImportReport } from '../index.ts';
import { number, reasons, table } from './render.ts';
import type { Shell } from './shell.ts';
import { printable } from './text.ts';

/** Rejected lines that are shown. */
const MAX_LINES = 10;

/** What became of the lines of a snapshot. */
export function renderImport(report: ImportReport, colors: Shell['colors']): string {
  const { imported, known, rejected, codes, rejections } = report;
  const { bold, green, red } = colors;
  const counts = [
    green(`${number(imported)} imported`),
    `${number(known)} known already`,
    red(`${number(rejected)} rejected`),
  ];
  const sections = [
    `${bold('Skills')}  ${counts.join(', ')}`,
    reasons('Why lines were rejected', codes, colors),
  ];
  if (rejected > 0) {
    const rows = rejections
      .slice(0, MAX_LINES)
      .map(({ line, code, message }) => [number(line), code, printable(message)]);
    const more = rejected > rows.length ? `\n… and ${number(rejected - rows.length)} more` : '';
    sections.push(
      `${bold('Rejected lines')}\n${table(['LINE', 'REASON', 'WHAT IS WRONG'], rows, colors)}${more}`,
    );
  }
  return sections.filter(Boolean).join('\n\n');
}
