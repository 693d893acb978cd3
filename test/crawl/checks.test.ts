import { describe, expect, it } from 'vitest';
import { validDescriptor, validIndex } from '../../mocks/documents.ts';
import { descriptorCheck, indexCheck, isJsonMediaType } from '../../src/crawl/checks.ts';
import type { HttpResponse } from '../../src/transport/index.ts';

const options = { protocolVersion: '1.0.0', maxDepth: 64 };
const url = 'https://a.example/.well-known/skill-sharing';

function response(given: Partial<HttpResponse> & { headers?: Record<string, string> } = {}): HttpResponse {
  const { headers = {}, ...rest } = given;
  return {
    url,
    status: 200,
    contentType: 'application/json',
    text: '',
    header: (name) => headers[name.toLowerCase()],
    ...rest,
  };
}

function codes(given: Parameters<typeof response>[0]) {
  const index = indexCheck(options)(response(given));
  const descriptor = descriptorCheck(options)(response(given));
  return [index.ok ? 'ok' : index.failure.code, descriptor.ok ? 'ok' : descriptor.failure.code];
}

describe('status codes', () => {
  it.each([
    [404, 'INDEX_NOT_FOUND', 'SKILL_NOT_FOUND'],
    [410, 'INDEX_NOT_FOUND', 'SKILL_NOT_FOUND'],
    [405, 'INDEX_NOT_FOUND', 'HTTP_STATUS'],
    [401, 'AUTH_REQUIRED', 'AUTH_REQUIRED'],
    [402, 'PAYMENT_REQUIRED', 'PAYMENT_REQUIRED'],
    [403, 'PERMISSION_DENIED', 'PERMISSION_DENIED'],
    [408, 'SERVER_ERROR', 'SERVER_ERROR'],
    [429, 'RATE_LIMITED', 'RATE_LIMITED'],
    [500, 'SERVER_ERROR', 'SERVER_ERROR'],
    [503, 'SERVER_ERROR', 'SERVER_ERROR'],
    [599, 'SERVER_ERROR', 'SERVER_ERROR'],
    [304, 'HTTP_STATUS', 'HTTP_STATUS'],
    [418, 'HTTP_STATUS', 'HTTP_STATUS'],
  ])('[A7] reads %i as %s for an index, %s for a descriptor', (status, index, descriptor) => {
    expect(codes({ status })).toEqual([index, descriptor]);
  });

  it('keeps the status and the wait that was asked for', () => {
    const check = indexCheck(options)(response({ status: 429, retryAfterMs: 86_400_000 }));
    expect(check).toMatchObject({
      ok: false,
      failure: { details: { status: 429, retry_after_ms: 86_400_000 } },
    });
    const other = indexCheck(options)(response({ status: 404, retryAfterMs: 1000 }));
    expect(other).toMatchObject({ ok: false, failure: { details: { status: 404 } } });
    expect(other).not.toHaveProperty('failure.details.retry_after_ms');
  });
});

describe('[A17] challenge pages', () => {
  it.each([
    ['a mitigation header', { status: 403, headers: { 'cf-mitigated': 'challenge' }, text: '' }],
    [
      'a page with a challenge script',
      { status: 403, text: '<html><script src="/cdn-cgi/challenge-platform/x"></script>' },
    ],
    [
      'a waiting page with status 200',
      { status: 200, text: '\n<!DOCTYPE html><title>Just a moment...</title>' },
    ],
    ['a waiting page with status 503', { status: 503, text: '<title>Checking your browser</title>' }],
  ])('recognises %s', (_, given) => {
    expect(codes({ contentType: 'text/html', ...given })).toEqual(['BLOCKED', 'BLOCKED']);
  });

  it('does not mistake a document that speaks of one', () => {
    const text = JSON.stringify(validDescriptor({ description: '<title>Just a moment' }));
    expect(codes({ text })[1]).toBe('ok');
  });
});

describe('documents', () => {
  it('takes good ones', () => {
    expect(codes({ text: JSON.stringify(validIndex()) })[0]).toBe('ok');
    expect(codes({ text: JSON.stringify(validDescriptor()) })[1]).toBe('ok');
  });

  it('[B11] calls nothing empty', () => {
    expect(codes({ status: 204, contentType: '' })).toEqual(['EMPTY_BODY', 'EMPTY_BODY']);
    expect(codes({ text: ' \r\n' })).toEqual(['EMPTY_BODY', 'EMPTY_BODY']);
  });

  it('[A2] names status, content type and URL where a page stands instead', () => {
    const check = indexCheck(options)(
      response({
        text: '<!doctype html><p>Hello',
        contentType: 'text/html; charset=utf-8',
        url: `${url}?token=secret`,
      }),
    );
    expect(check).toMatchObject({ ok: false, failure: { code: 'HTML_INSTEAD' } });
    const { message } = check.ok ? { message: '' } : check.failure;
    expect(message).toContain('status 200');
    expect(message).toContain('text/html; charset=utf-8');
    expect(message).toContain(url);
    expect(message).not.toContain('secret');
  });
});

describe('isJsonMediaType', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/json',
    'application/vnd.x+json;v=1',
    ' Application/JSON',
  ])('[A15] takes %s', (type) => expect(isJsonMediaType(type)).toBe(true));
  it.each([
    '',
    'text/html',
    'application/octet-stream',
    'text/plain',
    'application/jsonp',
    'application/x-json-stream',
  ])('[A15] does not take %j', (type) => expect(isJsonMediaType(type)).toBe(false));
});
