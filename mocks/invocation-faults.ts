import type { InvocationOutcome, InvocationResponse, SkillDescriptor } from '../src/protocol/index.ts';
import { BAD_ANSWERS, type BadAnswer, type FaultCode } from './answers.ts';
import { validDescriptor } from './documents.ts';
import { EXECUTIONS_PATH } from './invocations.ts';
import { createProvider } from './provider.ts';
import { errorResponse, jsonResponse } from './responses.ts';
import type { MockSite } from './site.ts';

/** One way in which a provider can answer invocations wrongly, or merely oddly, and what a consumer must make of it. */
export interface InvocationFault {
  /** What the site does. */
  describe: string;
  /** Of the InvocationOutcome. */
  status: InvocationOutcome['status'];
  /** Of the InvocationOutcome; absent where it is completed all the same. */
  code?: FaultCode;
  /** The site with the fault. It must run its skills (`invocations`); default one with the skill `com.example.translate-v1`. */
  make(site?: MockSite): MockSite;
}

type Step = 'start' | 'status' | 'result';

/** All seven codes of the protocol (section 6), each with a status that it goes with. */
const ENVELOPES = [
  ['VALIDATION_ERROR', 400],
  ['AUTH_REQUIRED', 401],
  ['PERMISSION_DENIED', 403],
  ['SKILL_NOT_FOUND', 404],
  ['EXECUTION_TIMEOUT', 408],
  ['VERSION_INCOMPATIBLE', 422],
  ['ENDPOINT_UNREACHABLE', 503],
] as const satisfies readonly (readonly [FaultCode, number])[];

/** Bad answers that mean the same for an invocation as for a document. */
const ANSWERS = [
  'html',
  'empty',
  'garbage',
  'encoding',
  'deep',
  'huge',
  'gzip-bomb',
  'reset',
  'redirect-elsewhere',
  'next-major',
  'not-an-object',
] as const satisfies readonly (keyof typeof BAD_ANSWERS)[];

/** Every fault by its name: `start-*` in the answer to the POST, `status-*` and `result-*` later, `harmless-*` in none. */
export const INVOCATION_FAULTS = {
  ...named(
    'start',
    ENVELOPES.map(([code, status]) => [code, envelope(code, status)]),
  ),
  ...named(
    'start',
    ANSWERS.map((name) => [name, BAD_ANSWERS[name]]),
  ),
  ...named(
    'status',
    ANSWERS.map((name) => [name, BAD_ANSWERS[name]]),
  ),
  ...named('status', [['redirect-metadata', BAD_ANSWERS['redirect-metadata']]]),
  ...named('result', [['html', BAD_ANSWERS.html]]),
  'start-unknown-code': failing('start', 'EXECUTION_FAILED', 'answers 500 with a code of its own', async () =>
    errorResponse(500, 'OUT_OF_PAPER', 'There is no paper.'),
  ),
  'start-false-code': failing('start', 'PERMISSION_DENIED', 'answers 403 with the code of 404', async () =>
    errorResponse(403, 'SKILL_NOT_FOUND', 'There is no such skill.'),
  ),
  'start-rate-limited': failing('start', 'RATE_LIMITED', 'answers 429 without advice', async () =>
    errorResponse(429, 'RATE_LIMITED', 'Too much.', { 'retry-after': '1' }),
  ),
  'start-other-skill': edited('start', 'ANSWER_MISMATCH', 'answers for another skill', (answer) => ({
    ...answer,
    skill_id: 'com.example.another',
  })),
  'start-step-up': edited('start', 'VALIDATION_ERROR', 'calls its execution ".."', (answer) => ({
    ...answer,
    execution_id: '..',
  })),
  'start-without-id': edited('start', 'VALIDATION_ERROR', 'gives no execution_id', (answer) => ({
    ...answer,
    execution_id: undefined,
  })),
  'status-other-execution': edited('status', 'ANSWER_MISMATCH', 'tells of another execution', (answer) => ({
    ...answer,
    execution_id: 'run-of-somebody-else',
  })),
  'status-never-ends': edited('status', 'EXECUTION_TIMEOUT', 'is running for ever', (answer) => ({
    ...answer,
    status: 'running',
  })),
  'status-failed': edited('status', 'EXECUTION_FAILED', 'says that the execution failed', (answer) => ({
    ...answer,
    status: 'failed',
    error: { code: 'OUT_OF_PAPER', message: 'There is no paper.' },
  })),
  'status-cancelled': edited('status', 'EXECUTION_CANCELLED', 'cancels the execution', (answer) => ({
    ...answer,
    status: 'cancelled',
  })),
  'status-404': failing('status', 'EXECUTION_FAILED', 'has forgotten the execution', async () =>
    errorResponse(404, 'EXECUTION_NOT_FOUND', 'There is no such execution.'),
  ),
  'result-other-execution': edited(
    'result',
    'ANSWER_MISMATCH',
    'gives the result of another one',
    (answer) => ({
      ...answer,
      execution_id: 'run-of-somebody-else',
    }),
  ),

  'descriptor-foreign-status-url': described(
    'ORIGIN_REFUSED',
    'a status URL at another origin',
    (endpoint) => ({
      ...endpoint,
      status_url: 'https://collector.example/{execution_id}',
    }),
  ),
  'descriptor-host-placeholder': described(
    'ORIGIN_REFUSED',
    'a result URL with the id in its host',
    (endpoint) => ({
      ...endpoint,
      result_url: 'https://{execution_id}.collector.example/',
    }),
  ),
  'descriptor-private-endpoint': described('ADDRESS_REFUSED', 'an endpoint in a private network', () => ({
    url: 'https://10.0.0.1/invoke',
  })),
  'descriptor-get': described('ENDPOINT_UNSUPPORTED', 'an endpoint that takes GET', (endpoint) => ({
    ...endpoint,
    method: 'GET',
  })),
  'descriptor-form': described('ENDPOINT_UNSUPPORTED', 'an endpoint that takes forms', (endpoint) => ({
    ...endpoint,
    content_type: 'multipart/form-data',
  })),
  'descriptor-no-status-url': {
    ...described('RESULT_UNAVAILABLE', 'no URL to ask for the result', ({ url }) => ({ url })),
    status: 'failed',
  },

  'harmless-slow': harmless('is running for three polls and says when to ask', (site) => {
    let polls = 0;
    return onStep(site, 'status', async (request) => {
      const answer: InvocationResponse = await (await site(request)).json();
      polls += 1;
      return jsonResponse(
        { ...answer, ...(polls < 4 && { status: 'running' }) },
        { headers: { 'retry-after': '0' } },
      );
    });
  }),
  'harmless-retry': harmless('is busy at first, and says that the request may be sent again', (site) => {
    let asked = 0;
    return onStep(site, 'start', async (request) => {
      asked += 1;
      const retry = { suggested_delay_ms: 1, max_attempts: 2 };
      if (asked > 1) return site(request);
      return jsonResponse({ error: { code: 'BUSY', message: 'Come again.', retry } }, { status: 503 });
    });
  }),
  'harmless-trouble': harmless('answers 429 to the first question for the status', (site) => {
    let asked = 0;
    return onStep(site, 'status', async (request) => {
      asked += 1;
      if (asked > 1) return site(request);
      return errorResponse(429, 'RATE_LIMITED', 'Too much.', { 'retry-after': '0' });
    });
  }),
  'harmless-echo': harmless('repeats all that it was sent in its output', (site) =>
    onStep(site, 'result', async (request) => {
      const answer: InvocationResponse = await (await site(request)).json();
      return jsonResponse({ ...answer, output: Object.fromEntries(request.headers) });
    }),
  ),
} as const satisfies Record<string, InvocationFault>;

/** A name of {@link INVOCATION_FAULTS}. */
export type InvocationFaultName = keyof typeof INVOCATION_FAULTS;

/** A provider that works, to put faults into. */
function sampleSite(): MockSite {
  const skills = [validDescriptor()];
  return createProvider({ domain: 'faulty.example', name: 'Faulty', skills, invocations: {} }).handle;
}

function envelope(code: FaultCode, status: number): BadAnswer {
  return {
    describe: `answers ${status} in the error envelope`,
    code,
    answer: async () => errorResponse(status, code, `This provider answers ${status}.`),
  };
}

function named<N extends string, S extends Step>(
  step: S,
  answers: readonly (readonly [N, BadAnswer])[],
): Record<`${S}-${N}`, InvocationFault> {
  const faults = answers.map(([name, { code, describe, answer }]) => [
    `${step}-${name}`,
    failing(step, code, describe, answer),
  ]);
  return Object.fromEntries(faults) as Record<`${S}-${N}`, InvocationFault>;
}

function failing(step: Step, code: FaultCode, describe: string, answer: MockSite): InvocationFault {
  const make = (site = sampleSite()) => onStep(site, step, answer);
  return { describe: `${describe} (${step})`, status: 'failed', code, make };
}

function edited(
  step: Step,
  code: FaultCode,
  describe: string,
  change: (answer: InvocationResponse) => unknown,
): InvocationFault {
  const make = (site = sampleSite()) =>
    onStep(site, step, async (request) => {
      const response = await site(request);
      return jsonResponse(change(await response.json()), { status: response.status });
    });
  return { describe, status: 'failed', code, make };
}

function described(
  code: FaultCode,
  what: string,
  change: (endpoint: SkillDescriptor['endpoint']) => SkillDescriptor['endpoint'],
): InvocationFault {
  const make =
    (site = sampleSite()): MockSite =>
    async (request) => {
      const response = await site(request);
      if (!new URL(request.url).pathname.endsWith('.json') || response.status !== 200) return response;
      const descriptor: SkillDescriptor = await response.json();
      return jsonResponse({ ...descriptor, endpoint: change(descriptor.endpoint) });
    };
  return { describe: `has a descriptor with ${what}`, status: 'refused', code, make };
}

function harmless(describe: string, make: (site: MockSite) => MockSite): InvocationFault {
  return { describe, status: 'completed', make: (site = sampleSite()) => make(site) };
}

/** The site with another answer in one step of an invocation. */
function onStep(site: MockSite, step: Step, answer: MockSite): MockSite {
  return async (request) => (stepOf(request) === step ? answer(request) : site(request));
}

function stepOf({ method, url }: Request): Step | undefined {
  const { pathname } = new URL(url);
  if (method === 'POST') return 'start';
  if (!pathname.startsWith(EXECUTIONS_PATH)) return undefined;
  return pathname.endsWith('/result') ? 'result' : 'status';
}
