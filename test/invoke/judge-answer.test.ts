import { describe, expect, it, test } from 'vitest';
import { type Asked, executionFailure, judgeAnswer } from '../../src/invoke/judge-answer.ts';
import { Secrets } from '../../src/invoke/secrets.ts';
import type { HttpResponse } from '../../src/transport/index.ts';

const answer = {
  execution_id: 'run-1',
  status: 'running',
  skill_id: 'a',
  timestamps: {},
};
const response = (status: number, body: unknown, more: Partial<HttpResponse> = {}): HttpResponse => ({
  url: 'https://api.example/run',
  status,
  contentType: 'application/json',
  text: typeof body === 'string' ? body : JSON.stringify(body),
  header: () => undefined,
  ...more,
});
const asked: Asked = {
  isStart: true,
  skillId: 'a',
  executionId: undefined,
  protocolVersion: '1.0.0',
  json: {},
  redact: new Secrets(),
};
const codeOf = (status: number, body: unknown, more: Partial<Asked> = {}) => {
  const judged = judgeAnswer(response(status, body), { ...asked, ...more });
  return judged.ok ? 'ok' : judged.failure.code;
};
const envelope = (code: string) => ({ error: { code, message: 'No.' } });

describe('the code of a status', () => {
  test.each([
    [400, 'HTTP_STATUS'],
    [401, 'AUTH_REQUIRED'],
    [402, 'PAYMENT_REQUIRED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'SKILL_NOT_FOUND'],
    [408, 'EXECUTION_TIMEOUT'],
    [410, 'SKILL_NOT_FOUND'],
    [422, 'HTTP_STATUS'],
    [429, 'RATE_LIMITED'],
    [500, 'SERVER_ERROR'],
    [502, 'ENDPOINT_UNREACHABLE'],
    [503, 'ENDPOINT_UNREACHABLE'],
    [504, 'EXECUTION_TIMEOUT'],
  ])('%i is %s without an envelope', (status, code) => {
    expect(codeOf(status, '<html>')).toBe(code);
  });

  test.each([
    [400, 'VALIDATION_ERROR', 'VALIDATION_ERROR'],
    [422, 'VALIDATION_ERROR', 'VALIDATION_ERROR'],
    [422, 'VERSION_INCOMPATIBLE', 'VERSION_INCOMPATIBLE'],
    [504, 'EXECUTION_TIMEOUT', 'EXECUTION_TIMEOUT'],
    [500, 'AUTH_REQUIRED', 'EXECUTION_FAILED'],
    [403, 'SKILL_NOT_FOUND', 'PERMISSION_DENIED'],
    [400, 'toString', 'EXECUTION_FAILED'],
    [400, 'CLIENT_CLOSED', 'EXECUTION_FAILED'],
    [429, 'CALM_DOWN', 'RATE_LIMITED'],
  ])('%i with the code %s is %s', (status, given, code) => {
    expect(codeOf(status, envelope(given))).toBe(code);
  });

  it('speaks of the skill only in the answer to the POST', () => {
    expect(codeOf(404, '', { isStart: false })).toBe('HTTP_STATUS');
  });
});

describe('judgeAnswer', () => {
  test.each<[string, unknown, Partial<Asked>, string]>([
    ['a whole answer', answer, {}, 'ok'],
    ['the execution that was asked for', answer, { executionId: 'run-1' }, 'ok'],
    ['another execution', answer, { executionId: 'run-2' }, 'ANSWER_MISMATCH'],
    ['another skill', { ...answer, skill_id: 'b' }, {}, 'ANSWER_MISMATCH'],
    ['an acknowledgement', { execution_id: 'run-1', status: 'accepted' }, {}, 'ok'],
    [
      'an end without timestamps',
      { ...answer, status: 'completed', timestamps: undefined },
      {},
      'VALIDATION_ERROR',
    ],
    ['timestamps that are none', { ...answer, timestamps: 'now' }, {}, 'VALIDATION_ERROR'],
    [
      'an acknowledgement of another skill',
      { ...answer, timestamps: undefined, skill_id: 'b' },
      {},
      'ANSWER_MISMATCH',
    ],
    ['an acknowledgement without an id', { status: 'accepted' }, {}, 'VALIDATION_ERROR'],
    ['an id that is no part of a path', { ...answer, execution_id: '..' }, {}, 'VALIDATION_ERROR'],
    ['a version that is ours', { ...answer, protocol: { version: '1.7.0' } }, {}, 'ok'],
    ['another version, whatever else', { protocol: { version: '2.0.0' } }, {}, 'VERSION_INCOMPATIBLE'],
    ['a page', '<!doctype html><html>', {}, 'HTML_INSTEAD'],
    ['nothing', '', {}, 'EMPTY_BODY'],
    [
      'members of __proto__ alone',
      '{"__proto__":{"execution_id":"run-1","status":"completed"}}',
      {},
      'VALIDATION_ERROR',
    ],
  ])('judges %s', (_, body, more, code) => {
    expect(codeOf(200, body, more)).toBe(code);
  });

  it('passes on what the provider says, cut and cleaned, and takes its advice', () => {
    const error = {
      code: 'OUT\u001b[2J',
      message: `\u001b[2J\u202e${'a'.repeat(1000)}`,
      details: { long: 'b'.repeat(20_000) },
      retry: { suggested_delay_ms: 5, max_attempts: 2, other: 'x' },
    };
    const judged = judgeAnswer(response(500, { error }, { retryAfterMs: 7 }), asked);
    expect(judged).toMatchObject({
      ok: false,
      askedMs: 7,
      failure: {
        code: 'EXECUTION_FAILED',
        details: { status: 500, retry_after_ms: 7, provider_code: 'OUT\\u001b[2J' },
        retry: { suggested_delay_ms: 5, max_attempts: 2 },
      },
    });
    const text = JSON.stringify(judged);
    expect(text.length).toBeLessThan(12_000);
    expect(text).not.toMatch(/\p{Cf}/u);
  });

  it('knows what an answer says that failed', () => {
    const failed = (code?: string) =>
      executionFailure({ ...answer, status: 'failed', ...(code && { error: { code, message: 'No.' } }) });
    expect(failed('EXECUTION_TIMEOUT')).toMatchObject({ code: 'EXECUTION_TIMEOUT' });
    expect(failed('OTHER')).toMatchObject({ code: 'EXECUTION_FAILED', details: { provider_code: 'OTHER' } });
    expect(failed()).toEqual({ code: 'EXECUTION_FAILED', message: 'the execution failed' });
    expect(executionFailure({ ...answer, status: 'cancelled' }).code).toBe('EXECUTION_CANCELLED');
  });
});

describe('what repeats a secret', () => {
  const redact = new Secrets();
  redact.addHeader('Bearer s3cret/"\\key');
  redact.addTexts({ type: 'token', value: ['another-secret'] });

  it.each<[string, number, string]>([
    ['an output', 200, JSON.stringify({ ...answer, output: ['x s3cret/"\\key', { 'another-secret': 1 }] })],
    [
      'an escaped output',
      200,
      JSON.stringify({ ...answer, output: 'another-secret' }).replace('another', '\\u0061nother'),
    ],
    ['an execution', 200, JSON.stringify({ ...answer, execution_id: 'another-secret' })],
    [
      'a message',
      500,
      JSON.stringify({
        error: {
          code: 'another-secret',
          message: `${'a'.repeat(490)}another-secret`,
          details: 's3cret/"\\key',
        },
      }),
    ],
    ['what is no JSON', 200, `no JSON ${'a'.repeat(10)} another-secret`],
    ['a page', 200, '<html>another-secret'],
  ])('shows %s without it', (_, status, text) => {
    const shown = JSON.stringify(judgeAnswer(response(status, text), { ...asked, redact }));
    expect(shown).not.toMatch(/s3cret|another|secret/);
    expect(redact.found).toBe(true);
  });

  it('shows nothing of a credential that begins with another', () => {
    const nested = new Secrets();
    nested.addTexts(['user-1234', 'user-1234-password']);
    expect(nested.text('user-1234-password of user-1234')).toBe('[credential] of [credential]');
  });

  it('is understood although a credential is a short word', () => {
    const short = new Secrets();
    short.addHeader('skill');
    short.addHeader('Bearer id');
    const judged = judgeAnswer(response(200, answer), { ...asked, redact: short });
    expect(judged).toMatchObject({ ok: true, answer });
  });

  it('leaves words alone that are only like one', () => {
    const text = JSON.stringify({ ...answer, output: 'token' });
    expect(judgeAnswer(response(200, text), { ...asked, redact })).toMatchObject({
      answer: { output: 'token' },
    });
  });
});
