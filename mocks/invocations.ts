import type {
  InvocationEndpoint,
  InvocationRequest,
  InvocationResponse,
  JsonValue,
  SkillDescriptor,
} from '../src/protocol/index.ts';
import type { HeaderCredential } from './provider.ts';
import { errorResponse, jsonResponse } from './responses.ts';

export interface InvocationOptions {
  /** What a skill gives; what it throws makes the execution fail with that message. Default: `{ echo: inputs }`. */
  run?: (request: InvocationRequest) => JsonValue | Promise<JsonValue>;
  /** How often the status is `running` before it is `completed`; default 1. With 0 the first answer is the last one. */
  running?: number;
  /** What a caller must present for a skill with another `auth.type` than `none`. Default: nobody is let in. */
  credential?: HeaderCredential;
}

/** One execution that was accepted. */
interface Execution {
  skillId: string;
  /** How often it is still `running`. */
  running: number;
  outcome: Promise<{ output: JsonValue } | { error: { code: string; message: string } }>;
}

/** Where executions are asked for. */
export const EXECUTIONS_PATH = '/executions/';

/** The path of a skill's endpoint. The suffix keeps the ids `.` and `..` from being dot segments. */
export function invocationPath(id: string): string {
  return `/skills/${encodeURIComponent(id)}.invoke`;
}

/** The endpoint of a skill at `origin`, with status and result URLs. */
export function invocationEndpoint(id: string, origin: string): InvocationEndpoint {
  return {
    url: new URL(invocationPath(id), origin).href,
    method: 'POST',
    content_type: 'application/json',
    status_url: `${origin}${EXECUTIONS_PATH}{execution_id}`,
    result_url: `${origin}${EXECUTIONS_PATH}{execution_id}/result`,
  };
}

/**
 * Runs skills as the protocol says (sections 5 and 6): `POST` answers 202 `accepted`, the status URL `running` and then
 * `completed`, the result URL the output. A request that lacks what it must have, or a required input, is a
 * `VALIDATION_ERROR`; a caller without the credential, `AUTH_REQUIRED`.
 */
export function createInvocations(options: InvocationOptions) {
  const { run = ({ inputs }) => ({ echo: inputs }), running = 1, credential } = options;
  const executions = new Map<string, Execution>();

  async function start(skill: SkillDescriptor, request: Request): Promise<Response> {
    if (request.method !== 'POST') {
      return errorResponse(405, 'METHOD_NOT_ALLOWED', 'Only POST is answered.', { allow: 'POST' });
    }
    if (!mayInvoke(skill, request)) {
      return errorResponse(401, 'AUTH_REQUIRED', 'A valid credential is needed.');
    }
    const message = await readRequest(request, skill);
    if (typeof message === 'string') return errorResponse(400, 'VALIDATION_ERROR', message);
    const id = `run-${executions.size + 1}`;
    const outcome = (async () => run(message))().then(
      (output) => ({ output }),
      (error) => ({ error: { code: 'EXECUTION_FAILED', message: String(error?.message) } }),
    );
    const execution = { skillId: skill.id, running, outcome };
    executions.set(id, execution);
    if (running === 0) return jsonResponse(await finished(id, execution));
    return jsonResponse(answerOf(id, execution, 'accepted'), { status: 202 });
  }

  async function ask(path: string): Promise<Response> {
    const [, id = '', isResult] = /^([^/]+)(\/result)?$/.exec(path) ?? [];
    const execution = executions.get(decodeURIComponent(id));
    if (!execution) return errorResponse(404, 'EXECUTION_NOT_FOUND', 'There is no such execution.');
    if (isResult) {
      return execution.running > 0
        ? errorResponse(409, 'NOT_COMPLETED', 'The execution has not ended.')
        : jsonResponse(await finished(id, execution));
    }
    if (execution.running > 0) {
      execution.running -= 1;
      return jsonResponse(answerOf(id, execution, 'running'));
    }
    const { output, ...status } = await finished(id, execution);
    return jsonResponse(status);
  }

  function mayInvoke({ auth }: SkillDescriptor, request: Request): boolean {
    if (auth.type === 'none') return true;
    return credential !== undefined && request.headers.get(credential.header) === credential.value;
  }

  return { start, ask };
}

async function finished(id: string, execution: Execution): Promise<InvocationResponse> {
  const outcome = await execution.outcome;
  return { ...answerOf(id, execution, 'output' in outcome ? 'completed' : 'failed'), ...outcome };
}

function answerOf(id: string, { skillId }: Execution, status: string): InvocationResponse {
  const timestamps = { [`${status}_at`]: new Date().toISOString() };
  return { execution_id: id, status, skill_id: skillId, timestamps };
}

/** The request, or what is wrong with it. */
async function readRequest(request: Request, skill: SkillDescriptor): Promise<InvocationRequest | string> {
  const message: Partial<InvocationRequest> = await request.json().catch(() => ({}));
  const { caller, skill_id, inputs } = message;
  if (typeof caller?.id !== 'string' || typeof caller.type !== 'string')
    return 'caller: expected id and type.';
  if (skill_id !== skill.id) return 'skill_id: expected the id of this skill.';
  if (typeof inputs !== 'object' || inputs === null) return 'inputs: expected an object.';
  const missing = skill.inputs.find(({ name, required }) => required && !Object.hasOwn(inputs, name));
  return missing ? `inputs: ${missing.name} is required.` : { ...message, caller, skill_id, inputs };
}
