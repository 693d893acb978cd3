import { linkSignals } from '../abort.ts';
import type { Failure } from '../errors.ts';
import type { AuthConfig, Caller, InvocationOutcome, SkillRecord } from '../protocol/index.ts';
import { type Approve, askApproval } from './approval.ts';
import {
  type Ending,
  Execution,
  type ExecutionContext,
  type ExecutionOrder,
  type SignMessage,
} from './execution.ts';
import type { AnswerFailure } from './judge-answer.ts';
import { type PlanOptions, planInvocation } from './plan-invocation.ts';
import { Secrets } from './secrets.ts';

/** What all invocations work with. */
export interface InvokeContext extends ExecutionContext, Pick<PlanOptions, 'judgeTarget'> {
  /** What is configured for an origin and goes with a skill's way of authentication, or why nothing does. */
  signerFor: (origin: string, auth: AuthConfig) => SignMessage | Failure;
  approve: Approve | undefined;
}

export interface Invocation
  extends Pick<PlanOptions, 'acceptWarnings'>,
    Pick<ExecutionOrder, 'timeoutMs' | 'onStatus'> {
  /** The caller's own copy. */
  record: SkillRecord;
  /** Plain JSON, as is the caller. */
  inputs: Record<string, unknown>;
  caller: Caller;
  signal: AbortSignal;
}

/** Failures before anything has left, where nothing was sent. */
const REFUSALS: readonly Failure['code'][] = [
  'ADDRESS_REFUSED',
  'URL_REFUSED',
  'AUTH_REQUIRED',
  'CREDENTIAL_FAILED',
];

/**
 * Judges one invocation, has it approved, and carries it out. `timeoutMs` begins when it is approved. Whatever goes wrong is in
 * the outcome; rejects with `signal.reason`, and with what `onStatus` throws.
 */
export async function invokeSkill(
  context: InvokeContext,
  invocation: Invocation,
): Promise<InvocationOutcome> {
  const { clock, approve, signerFor } = context;
  const { record, caller, timeoutMs, onStatus, signal } = invocation;
  const { endpoint, auth } = record.descriptor;
  const startedAt = clock.now();
  signal.throwIfAborted();

  const planned = await planInvocation(record, invocation.inputs, { ...invocation, ...context });
  const { warnings } = planned;
  const outcome = (ending: Ending, execution?: Execution): InvocationOutcome => ({
    domain: record.domain,
    id: record.id,
    ...membersOf(ending, execution),
    ...(execution?.id !== undefined && { executionId: execution.id }),
    warnings: [...warnings, ...(execution?.warnings ?? [])],
    requests: execution?.requests ?? 0,
    bytes: execution?.bytes ?? 0,
    durationMs: Math.max(0, clock.now() - startedAt),
  });
  if ('refusal' in planned) return outcome({ failure: planned.refusal });
  const { plan } = planned;
  const sign = signerFor(plan.endpoint.origin, auth);
  if (typeof sign !== 'function') return outcome({ failure: sign });
  const failure = approve && (await askApproval(approve, record, { ...plan, warnings }, signal));
  if (failure) return outcome({ failure });

  const secrets = new Secrets();
  secrets.addTexts(caller.credentials);
  const request = { caller, skill_id: record.id, inputs: plan.inputs, context: { timeout_ms: timeoutMs } };
  const order = {
    ...{ skillId: record.id, endpoint, endpointUrl: plan.endpoint, body: JSON.stringify(request) },
    ...{ timeoutMs, sign, secrets, onStatus },
  };
  const link = linkSignals(signal);
  const execution = new Execution(context, order, link.signal);
  const timer = new AbortController();
  let isOver = false;
  clock.sleep(timeoutMs, timer.signal).then(
    () => {
      isOver = true;
      link.abort('the time is over');
    },
    () => {},
  );
  try {
    return outcome(await execution.run(), execution);
  } catch (error) {
    if (signal.aborted || !isOver) throw error;
    const message = `no final answer within ${timeoutMs} ms`;
    return outcome({ failure: { code: 'EXECUTION_TIMEOUT', message } }, execution);
  } finally {
    timer.abort('ended');
    link.unlink();
  }
}

function membersOf(
  ending: Ending,
  execution: Execution | undefined,
): Pick<InvocationOutcome, 'status' | 'output'> & Partial<AnswerFailure> {
  if ('output' in ending) {
    return { status: 'completed', ...(ending.output !== undefined && { output: ending.output }) };
  }
  const { failure } = ending;
  const isRefusal = execution === undefined || (execution.requests === 0 && REFUSALS.includes(failure.code));
  return { status: isRefusal ? 'refused' : 'failed', ...failure };
}
