import type { Failure } from '../errors.ts';
import { type Invocation, type InvokeContext, invokeSkill, SKILL_FLAGS } from '../invoke/index.ts';
import {
  type Caller,
  type InvocationOutcome,
  type JsonLimits,
  parseDomain,
  parseJson,
  type Reading,
  type SkillRecord,
  show,
  validateInvocationRequest,
} from '../protocol/index.ts';
import type { GetQuery, Registry } from '../registry/index.ts';
import type { InvokeOptions } from './api.ts';
import { requireFlags, requireKnown, requireSignal, requireType } from './require.ts';

const OPTIONS = ['caller', 'timeoutMs', 'onStatus', 'acceptWarnings', 'includePrivate', 'signal'];
const DEFAULT_CALLER = { id: 'skillscout', type: 'service' };
const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_TIMEOUT_MS = 86_400_000;

/** What a caller asked for, checked. */
export interface InvocationPlea extends Omit<Invocation, 'record' | 'inputs' | 'signal'> {
  key: GetQuery;
  inputs: Reading<Record<string, unknown>>;
}

/** Checks what a caller passes and fills in the defaults. Throws TypeError for what cannot be used. */
export function requireInvocation(
  skill: { domain: string; id: string },
  inputs: unknown,
  options: InvokeOptions,
  json: JsonLimits,
): InvocationPlea {
  requireType('skill', skill, 'object');
  requireKnown('options', options, OPTIONS);
  const { caller = DEFAULT_CALLER, timeoutMs = DEFAULT_TIMEOUT_MS, onStatus = () => {} } = options;
  const { acceptWarnings = [], includePrivate = false, signal } = options;
  requireSignal(signal);
  requireFlags({ includePrivate });
  requireType('onStatus', onStatus, 'function');
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > MAX_TIMEOUT_MS) {
    throw new TypeError(`timeoutMs: expected a whole number from 1 to ${MAX_TIMEOUT_MS}`);
  }
  const isFlag = (code: unknown) => (SKILL_FLAGS as readonly unknown[]).includes(code);
  if (!Array.isArray(acceptWarnings) || !acceptWarnings.every(isFlag)) {
    throw new TypeError(`acceptWarnings: expected a list of ${SKILL_FLAGS.join(', ')}`);
  }
  return {
    key: { domain: skill.domain, id: skill.id, includePrivate },
    ...{ timeoutMs, onStatus, acceptWarnings },
    inputs: plainObject('inputs', inputs, json),
    caller: requireCaller(caller, json),
  };
}

function requireCaller(given: unknown, json: JsonLimits): Caller {
  const caller = plainObject('caller', given, json);
  const request = validateInvocationRequest({
    caller: caller.ok && caller.value,
    skill_id: 'any',
    inputs: {},
  });
  if (!request.ok) throw new TypeError('caller: expected { id, type } of two texts, and its credentials');
  return request.value.caller;
}

/** The caller's value as JSON has it: what is sent is what was checked. */
function plainObject(name: string, value: unknown, json: JsonLimits): Reading<Record<string, unknown>> {
  const text = toJson(value);
  if (!text?.startsWith('{')) throw new TypeError(`${name}: expected an object of plain JSON`);
  const parsed = parseJson(text, json);
  return parsed.ok ? { ok: true, value: parsed.value as Record<string, unknown> } : parsed;
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, member: unknown) => {
      if (isNoJson(member)) throw new TypeError('JSON would give it up in silence');
      return member;
    });
  } catch {
    return undefined;
  }
}

function isNoJson(value: unknown): boolean {
  return (
    typeof value === 'function' ||
    typeof value === 'symbol' ||
    (typeof value === 'number' && !Number.isFinite(value))
  );
}

function notStored({ domain, id, includePrivate }: GetQuery): string {
  const message = `no skill ${show(id)} of ${parseDomain(domain).domain} is stored`;
  return includePrivate ? message : `${message}, or it is private`;
}

export interface InvocationParts {
  /** Of all that is stored, whatever a lock says. */
  registry: Pick<Registry, 'get'>;
  /** Why the lock refuses a skill, if it does. */
  judgeRecord: ((record: SkillRecord) => Promise<Failure | undefined>) | undefined;
  context: InvokeContext;
}

/** Finds the skill and invokes it. */
export async function invokeStored(
  { registry, judgeRecord, context }: InvocationParts,
  { key, inputs, ...plea }: InvocationPlea,
  signal: AbortSignal,
): Promise<InvocationOutcome> {
  const { clock } = context;
  const startedAt = clock.now();
  const refused = ({ code, message, details }: Failure): InvocationOutcome => ({
    ...{ domain: parseDomain(key.domain).domain, id: key.id, status: 'refused', code, message },
    ...(details && { details }),
    ...{ warnings: [], requests: 0, bytes: 0, durationMs: Math.max(0, clock.now() - startedAt) },
  });
  const record = await registry.get(key, startedAt);
  signal.throwIfAborted();
  if (!record) return refused({ code: 'SKILL_NOT_FOUND', message: notStored(key) });
  const failure = await judgeRecord?.(record);
  if (failure) return refused(failure);
  if (!inputs.ok) return refused({ ...inputs.failure, code: 'INVALID_INPUTS' });
  return invokeSkill(context, { ...plea, record, inputs: inputs.value, signal });
}
