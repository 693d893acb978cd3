import type Comparator from 'semver/classes/comparator.js';

/** A part of the order of versions, in keys of {@link versionKey}. Absent ends are open. */
export interface VersionSpan {
  from?: string;
  to?: string;
  /** Whether `from` itself is outside. */
  afterFrom: boolean;
  /** Whether `to` itself is outside. */
  beforeTo: boolean;
  /** Whether versions with a pre-release are outside. */
  releasesOnly: boolean;
}

/** What the key of a version without a pre-release ends with. */
export const RELEASE_MARK = '~';

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([^+]+))?/;
/** Digits of one number that count. */
const MAX_DIGITS = 1000;

/**
 * A text whose order by code point is the precedence of semantic versions (SemVer 2.0.0, section 11), of any length of
 * numbers. Versions that differ in build metadata alone have the same key. What is no version sorts before all that are.
 */
export function versionKey(version: string): string {
  const [, major, minor, patch, prerelease] = VERSION.exec(version) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return '';
  const core = numberKey(major) + numberKey(minor) + numberKey(patch);
  if (prerelease === undefined) return core + RELEASE_MARK;
  const identifiers = prerelease
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? `0${numberKey(part)}` : `1${part}`));
  return `${core}-${identifiers.join(' ')}`;
}

function numberKey(digits: string): string {
  const kept = digits.slice(0, MAX_DIGITS);
  return kept.length.toString(36).padStart(2, '0') + kept;
}

/**
 * The versions that satisfy a range as npm reads it: a pre-release only where the range names one of the same
 * MAJOR.MINOR.PATCH. TypeError for what is no range.
 */
export async function parseVersionRange(option: string, text: string): Promise<VersionSpan[]> {
  const { default: Range } = await import('semver/classes/range.js');
  try {
    return new Range(text).set.flatMap(spansOf);
  } catch (cause) {
    throw new TypeError(`${option}: expected a range of semantic versions such as ^1.2.0`, { cause });
  }
}

function spansOf(comparators: readonly Comparator[]): VersionSpan[] {
  const whole: VersionSpan = { afterFrom: false, beforeTo: false, releasesOnly: true };
  const bounded = comparators.filter(({ semver }) => typeof semver.version === 'string');
  const span = bounded.reduce(narrowed, whole);
  const prereleases = bounded
    .filter(({ semver }) => semver.prerelease.length > 0)
    .map(({ semver: { major, minor, patch } }) => versionKey(`${major}.${minor}.${patch}`))
    .map((release) => ({
      ...[
        { key: release.slice(0, -1), isLower: true, excludes: false },
        { key: release, isLower: false, excludes: true },
      ].reduce(cut, span),
      releasesOnly: false,
    }));
  return [span, ...prereleases];
}

function narrowed(span: VersionSpan, { operator, semver }: Comparator): VersionSpan {
  const key = versionKey(semver.version);
  const excludes = operator === '<' || operator === '>';
  const lower = operator.startsWith('<') ? span : cut(span, { key, isLower: true, excludes });
  return operator.startsWith('>') ? lower : cut(lower, { key, isLower: false, excludes });
}

function cut(
  span: VersionSpan,
  { key, isLower, excludes }: { key: string; isLower: boolean; excludes: boolean },
): VersionSpan {
  if (isLower) {
    if (span.from !== undefined && (span.from > key || (span.from === key && span.afterFrom))) return span;
    return { ...span, from: key, afterFrom: excludes };
  }
  if (span.to !== undefined && (span.to < key || (span.to === key && span.beforeTo))) return span;
  return { ...span, to: key, beforeTo: excludes };
}

/** Whether the version with this key lies in one of the spans. */
export function isWithin(spans: readonly VersionSpan[], key: string): boolean {
  return spans.some(
    ({ from, to, afterFrom, beforeTo, releasesOnly }) =>
      key !== '' &&
      (from === undefined || key > from || (key === from && !afterFrom)) &&
      (to === undefined || key < to || (key === to && !beforeTo)) &&
      (!releasesOnly || key.endsWith(RELEASE_MARK)),
  );
}
