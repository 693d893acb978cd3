import type { SkillRecord, Warning } from '../protocol/index.ts';

/** What is shown of an invocation before anything leaves. Frozen through and through; a copy. */
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
