import type { ErrorCode } from '../errors.ts';
import type { Violation, Warning } from './outcomes.ts';

/** What one invocation of a skill came to (protocol, section 5): plain data, safe to serialise. */
export interface InvocationOutcome {
  domain: string;
  id: string;
  /**
   * `completed`: `output` is what the skill gave · `failed`: the provider, or the way to it, said no, see `code` · `refused`:
   * nothing left this machine, see `code`.
   */
  status: 'completed' | 'failed' | 'refused';
  /** Absent exactly when completed. */
  code?: ErrorCode;
  message?: string;
  /** Of inputs that break the skill's definitions, or of an answer that breaks the protocol: `field` is a JSON Pointer into it. */
  violations?: Violation[];
  /** The provider's own `error.details` and `status`, where it gave them. */
  details?: Record<string, unknown>;
  /** The provider's advice (protocol, section 6). */
  retry?: { suggested_delay_ms?: number; max_attempts?: number };
  executionId?: string;
  /** As the provider gave it: text of a stranger. */
  output?: unknown;
  warnings: Warning[];
  /** HTTP requests sent, redirects and retries included. */
  requests: number;
  /** Body bytes received, after decompression. */
  bytes: number;
  durationMs: number;
}
