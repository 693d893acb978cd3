import { jsonPointer } from './json-pointer.ts';
import { MAX_VIOLATIONS, type Warning } from './outcomes.ts';
import { hasUnsafeText } from './text.ts';
import type {
  AuthConfig,
  ParameterDefinition,
  ProtocolVersion,
  Provider,
  SkillDescriptor,
  SkillIndex,
} from './types.ts';
import { parseHttpUrl } from './url.ts';

/** A place in a document and the text found there. */
type Found = [path: (string | number)[], text: string | undefined];
type Rule = (text: string) => boolean;

const RULES = {
  EMPTY_TEXT: { broken: (text) => text.trim() === '', advice: 'is blank' },
  UNSAFE_TEXT: {
    broken: hasUnsafeText,
    advice: 'contains control, invisible or text-reordering characters',
  },
  INVALID_URL: {
    broken: (text) => !isHttpUrl(text),
    advice: 'is not an absolute http or https URL',
  },
  INVALID_DATE: {
    broken: (text) => !isIsoDate(text),
    advice: 'is not an ISO 8601 date or time',
  },
} satisfies Record<string, { broken: Rule; advice: string }>;

/**
 * Advice on a valid descriptor: what the schema lets pass and its publisher should mend. Never a reason to reject it.
 * Codes: `EMPTY_TEXT`, `UNSAFE_TEXT`, `INVALID_URL`, `INVALID_DATE`, `AUTH_DETAILS_MISSING`, `DUPLICATE_PARAMETER`.
 * At most {@link MAX_VIOLATIONS} warnings.
 */
export function lintDescriptor(descriptor: SkillDescriptor): Warning[] {
  const { protocol, provider, endpoint, auth } = descriptor;
  const names: Found[] = [...namesOf(descriptor), [['provider', 'name'], provider.name]];
  return [
    ...apply('EMPTY_TEXT', names),
    ...apply('UNSAFE_TEXT', shownTexts(descriptor)),
    ...apply('INVALID_URL', [
      ...sharedUrls(protocol, provider),
      [['documentation_url'], descriptor.documentation_url],
      [['endpoint', 'url'], endpoint.url],
      [['endpoint', 'status_url'], endpoint.status_url?.replaceAll('{execution_id}', 'id')],
      [['endpoint', 'result_url'], endpoint.result_url?.replaceAll('{execution_id}', 'id')],
      [['auth', 'oauth2', 'authorization_url'], auth.oauth2?.authorization_url],
      [['auth', 'oauth2', 'token_url'], auth.oauth2?.token_url],
    ]),
    ...apply('INVALID_DATE', [
      [['created_at'], descriptor.created_at],
      [['updated_at'], descriptor.updated_at],
    ]),
    ...missingAuthDetails(auth),
    ...duplicateParameters(descriptor.inputs, ['inputs']),
    ...duplicateParameters(auth.custom?.parameters ?? [], ['auth', 'custom', 'parameters']),
  ].slice(0, MAX_VIOLATIONS);
}

/** Texts of one skill that are named as unsafe, at most. */
const MAX_UNSAFE_TEXTS = 10;

/**
 * Which of the texts that people and models are shown hold characters that can deceive them ({@link hasUnsafeText}): the
 * `UNSAFE_TEXT` part of {@link lintDescriptor}, at most ten. The texts themselves stay as they were published.
 */
export function unsafeTextWarnings(descriptor: ShownMembers): Warning[] {
  const { name, description, provider, tags = [] } = descriptor;
  const isPlain = ![name, description, provider.name].some(hasUnsafeText) && !tags.some(hasUnsafeText);
  if (isPlain) return [];
  return apply('UNSAFE_TEXT', shownTexts(descriptor)).slice(0, MAX_UNSAFE_TEXTS);
}

interface ShownMembers extends Pick<SkillDescriptor, 'name' | 'description' | 'provider'> {
  tags?: readonly string[] | undefined;
}

function shownTexts(descriptor: ShownMembers): Found[] {
  const { provider, tags = [] } = descriptor;
  const tagged = tags.map((tag, i): Found => [['tags', i], tag]);
  return [...namesOf(descriptor), [['provider', 'name'], provider.name], ...tagged];
}

/**
 * Advice on a valid index, as {@link lintDescriptor} gives on a descriptor.
 * Codes: `EMPTY_TEXT`, `UNSAFE_TEXT`, `INVALID_URL`. At most {@link MAX_VIOLATIONS} warnings.
 */
export function lintIndex({ protocol, provider, skills }: SkillIndex): Warning[] {
  const names: Found[] = [
    [['provider', 'name'], provider.name],
    ...skills.flatMap((entry, i) => namesOf(entry, ['skills', i])),
  ];
  return [
    ...apply('EMPTY_TEXT', names),
    ...apply('UNSAFE_TEXT', names),
    ...apply('INVALID_URL', [
      ...sharedUrls(protocol, provider),
      ...skills.map(({ descriptor_url }, i): Found => [['skills', i, 'descriptor_url'], descriptor_url]),
    ]),
  ].slice(0, MAX_VIOLATIONS);
}

function namesOf(skill: { name: string; description: string }, at: (string | number)[] = []): Found[] {
  return [
    [[...at, 'name'], skill.name],
    [[...at, 'description'], skill.description],
  ];
}

function sharedUrls(protocol: ProtocolVersion, provider: Provider): Found[] {
  return [
    [['protocol', 'changelog_url'], protocol.changelog_url],
    [['provider', 'url'], provider.url],
  ];
}

function apply(code: keyof typeof RULES, found: Found[]): Warning[] {
  const { broken, advice } = RULES[code];
  return found.flatMap(([path, text]) =>
    text !== undefined && broken(text) ? warn(code, path, advice) : [],
  );
}

function warn(code: string, path: (string | number)[], advice: string): Warning {
  const field = jsonPointer(path);
  return { code, message: `${field} ${advice}.`, field };
}

function missingAuthDetails({ type, ...details }: AuthConfig): Warning[] {
  if ((type !== 'oauth2' && type !== 'custom') || details[type] !== undefined) return [];
  return [warn('AUTH_DETAILS_MISSING', ['auth', type], `is missing, though auth.type is ${type}`)];
}

function duplicateParameters(parameters: ParameterDefinition[], at: string[]): Warning[] {
  const names = new Set<string>();
  return parameters.flatMap(({ name }, i) => {
    if (names.has(name))
      return warn('DUPLICATE_PARAMETER', [...at, i, 'name'], 'repeats the name of an earlier one');
    names.add(name);
    return [];
  });
}

function isHttpUrl(text: string): boolean {
  return parseHttpUrl(text).ok;
}

const ISO_DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/;

/** A calendar date, or one with a time, in the extended format of ISO 8601. */
function isIsoDate(text: string): boolean {
  const [, year, month, day] = (ISO_DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
