import { abortable } from '../abort.ts';
import type { Failure } from '../errors.ts';
import { contentHash, type SkillRecord, type Warning } from '../protocol/index.ts';

/** What is shown of an invocation before anything leaves. Frozen through and through. */
export interface ApprovalRequest {
  readonly skill: SkillRecord;
  /** Where it comes from, and where the inputs would go. */
  readonly provenance: {
    readonly domain: string;
    readonly descriptorUrl: string;
    /** Who saw it: `anonymous`, or the label of a credential. */
    readonly view: string;
    /** Milliseconds since the epoch. */
    readonly fetchedAt: number;
    /** SHA-256 of its canonical content, in hexadecimal. */
    readonly contentHash: string;
    readonly endpointOrigin: string;
  };
  /** Those of the skill, accepted ones included, and those of this invocation. */
  readonly warnings: readonly Warning[];
  /** As they would be sent, with defaults filled in. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Anything but `true`, a throw included, refuses. */
export type Approve = (request: ApprovalRequest) => boolean | Promise<boolean>;

/** Asks for an approval; gives why there is none. What is passed gets frozen. Rejects only with `signal.reason`. */
export async function askApproval(
  approve: Approve,
  skill: SkillRecord,
  { endpoint, warnings, inputs }: { endpoint: URL; warnings: Warning[]; inputs: Record<string, unknown> },
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const { domain, descriptorUrl, view, fetchedAt } = skill;
  const request: ApprovalRequest = deepFreeze({
    skill,
    provenance: {
      ...{ domain, descriptorUrl, view, fetchedAt },
      contentHash: await contentHash(skill, skill.descriptor),
      endpointOrigin: endpoint.origin,
    },
    warnings,
    inputs,
  });
  const refuse = (message: string): Failure => ({ code: 'APPROVAL_REFUSED', message });
  try {
    const isApproved = await abortable((async () => approve(request))(), signal);
    return isApproved === true ? undefined : refuse('the invocation was not approved');
  } catch {
    signal.throwIfAborted();
    // What it threw may hold anything.
    return refuse('the invocation was not approved: invocation.approve failed');
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
