import type { ErrorCode, Failure } from '../errors.ts';
import { type JsonLimits, parseJson } from './json.ts';
import { ownMember } from './json-pointer.ts';
import type { Violation } from './outcomes.ts';
import type {
  ProtocolSemVer,
  ProtocolVersion,
  Provider,
  SkillDescriptor,
  SkillId,
  SkillIndexEntry,
} from './types.ts';
import { parseHttpUrl } from './url.ts';
import {
  type SkillIndexShell,
  type Validation,
  validateEntryAt,
  validateSkillDescriptor,
  validateSkillIndex,
  validateSkillIndexShell,
} from './validate.ts';
import { checkVersion, isProtocolSemVer, PROTOCOL_VERSION } from './version.ts';

export interface ReadOptions extends JsonLimits {
  /** The protocol version that the consumer supports. Default {@link PROTOCOL_VERSION}. */
  protocolVersion?: ProtocolSemVer;
}

export type Reading<T> = { ok: true; value: T } | { ok: false; failure: Failure };

/** A skill index whose entries are still to be judged, one by one, by {@link judgeEntry}. */
export interface IndexReading {
  protocol: ProtocolVersion;
  provider: Provider;
  entries: unknown[];
}

/**
 * Reads a skill descriptor from the text of a document.
 *
 * Where its `protocol.version` can be read it is judged first, so that a document of another MAJOR version says
 * `VERSION_INCOMPATIBLE` (with {@link VersionDetails}) and not that fields are missing; then the schema, whose failure is
 * `VALIDATION_ERROR` with `violations` and `violation_count`. Other codes are those of {@link parseJson}. Members that the
 * protocol does not name are kept. Throws a TypeError only for a wrong option.
 */
export function parse(text: string, options: ReadOptions = {}): Reading<SkillDescriptor> {
  return read(text, options, 'descriptor', validateSkillDescriptor);
}

/** Reads a skill index as {@link parse} reads a descriptor, but leaves its entries alone: one bad entry spoils no other. */
export function parseIndex(text: string, options: ReadOptions = {}): Reading<IndexReading> {
  // Where the shell is broken nothing of the index is used, and its author wants to know of everything at once.
  const validate = (value: unknown): Validation<SkillIndexShell> => {
    const shell = validateSkillIndexShell(value);
    const whole = shell.ok ? shell : validateSkillIndex(value);
    return whole.ok ? shell : whole;
  };
  const reading = read(text, options, 'index', validate);
  if (!reading.ok) return reading;
  const { protocol, provider, skills } = reading.value;
  return { ok: true, value: { protocol, provider, entries: skills } };
}

/** Judges the entry at a position of an index. `id` is given where the entry has a valid one. */
export function judgeEntry(
  entry: unknown,
  index: number,
): { ok: true; entry: SkillIndexEntry } | { ok: false; id?: SkillId; violations: Violation[] } {
  const validation = validateEntryAt(entry, index);
  if (validation.ok) return { ok: true, entry: validation.value };
  const { violations } = validation;
  const id = ownMember(entry, 'id');
  const hasId = typeof id === 'string' && !violations.some(({ field }) => field === `/skills/${index}/id`);
  return { ok: false, ...(hasId && { id }), violations };
}

/**
 * The JSON text of a descriptor, unknown members and own `__proto__` members included: {@link parse} reads the same
 * document back (property 3). A number that JSON text can say and a double cannot hold, such as `1e400`, was read as Infinity
 * and becomes `null`. Throws a TypeError when the value is not a valid descriptor, or holds a bigint or itself.
 */
export function serialize(descriptor: SkillDescriptor): string {
  const validation = validateSkillDescriptor(descriptor);
  if (!validation.ok) throw new TypeError(`not a valid descriptor: ${summarize(validation)}`);
  return JSON.stringify(descriptor);
}

function read<T>(
  text: string,
  options: ReadOptions,
  kind: string,
  validate: (value: unknown) => Validation<T>,
): Reading<T> {
  const { protocolVersion = PROTOCOL_VERSION } = options;
  if (!isProtocolSemVer(protocolVersion)) throw new TypeError('protocolVersion must be MAJOR.MINOR.PATCH');
  const parsed = parseJson(text, options);
  if (!parsed.ok) return parsed;
  const incompatible = judgeVersion(parsed.value, protocolVersion, kind);
  if (incompatible) return incompatible;
  const validation = validate(parsed.value);
  if (validation.ok) return validation;
  const { violations, violationCount } = validation;
  const message = `The ${kind} breaks the protocol schema: ${summarize(validation)}`;
  return failed('VALIDATION_ERROR', message, {
    violations,
    violation_count: violationCount,
  });
}

function failed(code: ErrorCode, message: string, details: Record<string, unknown>) {
  return { ok: false as const, failure: { code, message, details } };
}

function judgeVersion(document: unknown, supported: ProtocolSemVer, kind: string) {
  const protocol = ownMember(document, 'protocol');
  const version = ownMember(protocol, 'version');
  if (!isProtocolSemVer(version)) return undefined;
  const judgement = checkVersion(version, supported);
  if (judgement.compatible) return undefined;
  const { descriptor_version, consumer_supported_range } = judgement.details;
  const message = `The ${kind} speaks protocol ${descriptor_version}; this consumer supports ${consumer_supported_range}.`;
  const changelog = ownMember(protocol, 'changelog_url');
  const hasUpgrade = typeof changelog === 'string' && parseHttpUrl(changelog).ok;
  return failed('VERSION_INCOMPATIBLE', message, {
    ...judgement.details,
    ...(hasUpgrade && { upgrade_url: changelog }),
  });
}

function summarize({ violations, violationCount }: Extract<Validation<unknown>, { ok: false }>): string {
  const others = violationCount === 1 ? '' : ` (the first of ${violationCount} violations)`;
  return `${violations[0]?.message}${others}`;
}
