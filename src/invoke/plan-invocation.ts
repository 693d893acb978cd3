import type { Failure } from '../errors.ts';
import {
  isSameSite,
  parseDomain,
  parseHttpUrl,
  type SkillRecord,
  show,
  type Violation,
  type Warning,
} from '../protocol/index.ts';
import { checkInputs } from './check-inputs.ts';
import { executionUrl } from './execution-url.ts';
import { flagsAmong, recordWarnings, type SkillFlag } from './flags.ts';

/** What would be sent where, with all that speaks against it. */
export interface InvocationPlan {
  endpoint: URL;
  /** With defaults filled in. */
  inputs: Record<string, unknown>;
}

export interface PlanOptions {
  acceptWarnings: readonly SkillFlag[];
  /** Why a URL would not be asked. */
  judgeTarget: (url: URL) => Failure | undefined;
}

/** Why nothing is sent. */
export type Refusal = Failure & { violations?: Violation[] };

/** Any that {@link executionUrl} takes: where it leads is judged before something runs whose result nobody could ask for. */
const SAMPLE_ID = 'id';

/** Judges a skill and the inputs before anything leaves. The warnings are there whether or not it is refused. */
export async function planInvocation(
  record: SkillRecord,
  given: Record<string, unknown>,
  { acceptWarnings, judgeTarget }: PlanOptions,
): Promise<{ warnings: Warning[] } & ({ plan: InvocationPlan } | { refusal: Refusal })> {
  const { descriptor } = record;
  const warnings = recordWarnings(record);
  const flags = flagsAmong(warnings, acceptWarnings);
  if (flags.length > 0) {
    return {
      warnings,
      refusal: {
        code: 'SKILL_FLAGGED',
        message: `the skill has warnings that are not accepted: ${flags.join(', ')}`,
      },
    };
  }
  const found = endpointOf(record, judgeTarget);
  if ('refusal' in found) return { warnings, ...found };
  const { endpoint } = found;
  if (!(await isSameSite(new URL(parseDomain(record.domain).origin), endpoint))) {
    const message = `the endpoint lies at ${endpoint.host}, another site than its publisher's`;
    warnings.push({ code: 'FOREIGN_ENDPOINT', message, field: '/endpoint/url' });
  }
  const { inputs, violations, warnings: unchecked } = checkInputs(descriptor.inputs, given);
  warnings.push(...unchecked);
  const [first] = violations;
  if (first) {
    const message = `the inputs break the skill's definitions: ${first.message}`;
    return { warnings, refusal: { code: 'INVALID_INPUTS', message, violations } };
  }
  return { warnings, plan: { endpoint, inputs } };
}

function endpointOf(
  { descriptor }: SkillRecord,
  judgeTarget: PlanOptions['judgeTarget'],
): { endpoint: URL } | { refusal: Refusal } {
  const { url, method = 'POST', content_type, status_url, result_url } = descriptor.endpoint;
  const unsupported = (what: string): { refusal: Refusal } => ({
    refusal: { code: 'ENDPOINT_UNSUPPORTED', message: `the endpoint takes ${what}` },
  });
  if (method.toUpperCase() !== 'POST') return unsupported(`the method ${show(method)}, not POST`);
  if (content_type !== undefined && !/^application\/json *(?:;|$)/i.test(content_type)) {
    return unsupported(`${show(content_type)}, not application/json`);
  }
  const parsed = parseHttpUrl(url);
  if (!parsed.ok) return { refusal: { code: 'URL_REFUSED', message: parsed.reason } };
  const endpoint = parsed.url;
  endpoint.hash = '';
  const failure = judgeTarget(endpoint);
  if (failure) return { refusal: failure };
  for (const template of [status_url, result_url]) {
    const asked = template === undefined ? undefined : executionUrl(template, endpoint, SAMPLE_ID);
    const refusal = asked && (asked.ok ? judgeTarget(asked.url) : asked.failure);
    if (refusal) return { refusal };
  }
  return { endpoint };
}
