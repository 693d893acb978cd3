import stringWidth from 'string-width';
import type { Collisions, CrawlReport, ErrorCode, FacetCounts, SkillRecord, SkillSummary } from '../index.ts';
import { ERROR_CODES } from '../index.ts';
import type { Shell } from './shell.ts';
import type { Tally } from './tally.ts';
import { printable } from './text.ts';
import { isoTime } from './time.ts';

type Colors = Shell['colors'];

/** Columns side by side, without lines, each cell as it is. */
export function table(head: string[], rows: (string | number)[][], { dim }: Colors): string {
  const lines = [head.map((title) => dim(title)), ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column]))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell + ' '.repeat((widths[column] as number) - widthOf(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Most text is ASCII, which takes no table of widths. */
const widthOf = (cell = ''): number => (/^[ -~]*$/.test(cell) ? cell.length : stringWidth(cell));

/** What a crawl found: figures, how often which reason occurred, and the domains that lost the most. */
export function renderReport(
  report: CrawlReport,
  { worst, culprits }: Pick<Tally, 'worst' | 'culprits'>,
  colors: Colors,
): string {
  const { providers, skills, codes, requests, bytes, durationMs, collisions } = report;
  const { bold, green, red, yellow } = colors;
  const traffic = [
    plural(requests, 'request'),
    `${number(bytes)} bytes`,
    `${(durationMs / 1000).toFixed(1)} s`,
  ];
  const sections = [
    [
      `${bold('Domains')}  ${number(providers.total)}: ${green(`${number(providers.ok)} ok`)}, ${yellow(`${number(providers.partial)} partial`)}, ${number(providers.none)} without an index, ${red(`${number(providers.failed)} failed`)}`,
      `${bold('Skills')}   ${green(`${number(skills.accepted)} accepted`)}, ${red(`${number(skills.rejected)} rejected`)}`,
      `${bold('Traffic')}  ${traffic.join(', ')}`,
    ].join('\n'),
    reasons('Why indexes could not be read or refreshed', codes.providers, colors),
    reasons('Why skills were rejected', codes.skills, colors),
  ];
  if (worst.length > 0) {
    const rows = worst.map(({ domain, status, rejected, code = '', message }) => [
      printable(domain, 60),
      status,
      number(rejected),
      code,
      printable(message, 100),
    ]);
    const head = ['DOMAIN', 'STATUS', 'REJECTED', 'REASON', 'WHAT HAPPENED'];
    const others = culprits - worst.length;
    const more = others > 0 ? `\n… and ${number(others)} more` : '';
    sections.push(`${bold('Worst domains')}\n${table(head, rows, colors)}${more}`);
  }
  if (collisions) sections.push(renderCollisions(collisions, colors));
  return sections.filter(Boolean).join('\n\n');
}

/** Collisions that a report shows. */
const MAX_COLLISIONS = 10;

function renderCollisions({ total, first }: Collisions, colors: Colors): string {
  const rows = first
    .slice(0, MAX_COLLISIONS)
    .map(({ id, domains }) => [
      printable(id, 512),
      domains.map((domain) => printable(domain, 270)).join(', '),
    ]);
  const more = total > rows.length ? `\n… and ${number(total - rows.length)} more` : '';
  const title = `${colors.bold('Collisions')}  ${plural(total, 'id')} of several domains`;
  return `${title}\n${table(['ID', 'DOMAINS'], rows, colors)}${more}`;
}

/** How often which reason occurred, the most frequent first; empty where none did. */
export function reasons(title: string, codes: Partial<Record<ErrorCode, number>>, colors: Colors): string {
  const rows = Object.entries(codes) as [ErrorCode, number][];
  if (rows.length === 0) return '';
  rows.sort(([, a], [, b]) => b - a);
  const cells = rows.map(([code, count]) => [code, number(count), ERROR_CODES[code].meaning]);
  return `${colors.bold(title)}\n${table(['REASON', 'COUNT', 'MEANING'], cells, colors)}`;
}

/** One skill a line. Ids are whole, to be copied. */
export function renderSkills(skills: readonly SkillSummary[], colors: Colors): string {
  const rows = skills.map((skill) => [
    printable(skill.domain, 270),
    printable(skill.id, 512),
    skill.capability_type,
    skill.access,
    printable(skill.version, 30),
    `${printable(skill.name, 60)}${mark(skill, colors)}${doubts(skill, colors)}`,
  ]);
  return table(['DOMAIN', 'ID', 'TYPE', 'ACCESS', 'VERSION', 'NAME'], rows, colors);
}

/** Codes of warnings that a skill claims to be another's or can be mistaken for one. */
const DOUBTS = new Set([
  'FOREIGN_ID',
  'FOREIGN_PROVIDER_URL',
  'MIXED_SCRIPT',
  'ID_COLLISION',
  'ID_LOOKALIKE',
  'NAME_LOOKALIKE',
]);

function doubts({ warnings }: SkillSummary, { red }: Colors): string {
  const codes = new Set(warnings.flatMap(({ code }) => (DOUBTS.has(code) ? [code] : [])));
  return codes.size > 0 ? red(` (!) ${[...codes].join(', ')}`) : '';
}

/** An imported skill is always stale. */
function mark({ origin, stale }: SkillSummary, { yellow }: Colors): string {
  return origin || stale ? yellow(` (${origin ?? 'stale'})`) : '';
}

/** How many of all that match have each value, the most frequent first. */
export function renderFacets({ capabilityType, access, authType }: FacetCounts): string {
  return Object.entries({ type: capabilityType, access, auth: authType })
    .map(([name, counts]) => {
      const frequent = Object.entries(counts).sort(([, a], [, b]) => b - a);
      return `${name}: ${frequent.map(([value, count]) => `${value} ${number(count)}`).join(', ') || 'none'}`;
    })
    .join('\n');
}

/** All there is in a record: first where it comes from, then the descriptor with every member that it has. */
export function renderRecord(record: SkillRecord, colors: Colors): string {
  const { name, domain, id, descriptor, view, origin, unreachableSince, warnings } = record;
  const { bold, yellow } = colors;
  const confirmed = {
    'last confirmed': isoTime(record.fetchedAt),
    'fresh until': isoTime(record.freshUntil),
  };
  const provenance = {
    domain,
    id,
    'descriptor URL in the index': record.descriptor_url,
    'descriptor read at': record.descriptorUrl,
    'seen as': view,
    ...(origin ? { 'last confirmed': 'never: it was imported' } : confirmed),
    ...(unreachableSince !== undefined && { 'unreachable since': isoTime(unreachableSince) }),
  };
  return [
    `${bold(printable(name))}${mark(record, colors)}`,
    outline(provenance, 1),
    ...warnings.map(({ code, message }) => yellow(`  ! ${printable(code, 60)}  ${printable(message)}`)),
    bold('Descriptor'),
    outline(descriptor, 1),
  ].join('\n');
}

/** Any JSON value as indented lines, one member each. */
export function outline(value: object, depth: number): string {
  const indent = '  '.repeat(depth);
  return Object.entries(value)
    .map(([member, inner]) => {
      const label = Array.isArray(value) ? '-' : `${printable(member, 100)}:`;
      if (typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0) {
        return `${indent}${label} ${scalar(inner)}`;
      }
      return `${indent}${label}\n${outline(inner, depth + 1)}`;
    })
    .join('\n');
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? printable(value, 1000) : JSON.stringify(value);
}

/** A whole number; `toLocaleString` would load the data of all languages for its commas. */
export const number = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** `1 skill`, `2 skills`. */
export const plural = (count: number, noun: string): string =>
  `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
