import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { executionUrl, isExecutionId } from '../../src/invoke/execution-url.ts';

const endpoint = new URL('https://api.example/v1/run?key=1');
const at = (template: string, id: string) => {
  const result = executionUrl(template, endpoint, id);
  return result.ok ? result.url.href : result.failure.code;
};

describe('executionUrl', () => {
  test.each([
    ['https://api.example/runs/{execution_id}', 'r 1', 'https://api.example/runs/r%201'],
    ['https://api.example/{execution_id}/x/{execution_id}', 'r', 'https://api.example/r/x/r'],
    ['https://api.example/runs', 'r', 'https://api.example/runs/r'],
    ['https://api.example/runs/?v=1', 'r', 'https://api.example/runs/r?v=1'],
    ['https://api.example/state?id={execution_id}', 'a&b=c#d', 'https://api.example/state?id=a%26b%3Dc%23d'],
    ['/runs/{execution_id}', 'r', 'https://api.example/runs/r'],
    ['runs', 'r', 'https://api.example/v1/runs/r'],
    ['https://api.example:443/runs', '$&', 'https://api.example/runs/%24%26'],
  ])('puts into %s the id %s', (template, id, url) => {
    expect(at(template, id)).toBe(url);
  });

  test.each([
    ['https://evil.example/{execution_id}', 'r', 'ORIGIN_REFUSED'],
    ['//evil.example/{execution_id}', 'r', 'ORIGIN_REFUSED'],
    ['\\\\evil.example/', 'r', 'ORIGIN_REFUSED'],
    ['http://api.example/', 'r', 'ORIGIN_REFUSED'],
    ['https://api.example:8443/', 'r', 'ORIGIN_REFUSED'],
    ['https://{execution_id}.example/', 'evil', 'ORIGIN_REFUSED'],
    ['https://api.example{execution_id}/', '.evil.example', 'ORIGIN_REFUSED'],
    ['javascript:alert(1)', 'r', 'ORIGIN_REFUSED'],
    ['https://', 'r', 'URL_REFUSED'],
  ])('does not ask at %s', (template, id, code) => {
    expect(at(template, id)).toBe(code);
  });

  test.each(['', '.', '..', '...', 'a\u0000', 'a\n', '\ud800', 'x'.repeat(1025)])(
    'takes no id like %j',
    (id) => {
      expect(isExecutionId(id)).toBe(false);
    },
  );

  it('keeps every id where the template has it', () => {
    const templates = fc.constantFrom(
      'https://api.example/runs/{execution_id}',
      'https://api.example/runs',
      'https://api.example/runs/%2e{execution_id}',
      'https://api.example/runs/.{execution_id}',
    );
    const parts = fc.constantFrom(
      '.',
      '..',
      '/',
      '\\',
      '%2e',
      '%2F',
      '?',
      '#',
      '@',
      ':',
      'a',
      '😀',
      ' ',
      '\u00ad',
    );
    const ids = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(parts, { maxLength: 6 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(templates, ids.filter(isExecutionId), (template, id) => {
        const result = executionUrl(template, endpoint, id);
        expect(result.ok).toBe(true);
        if (!result.ok) return;
        const { origin, pathname, search, hash } = result.url;
        expect({ origin, search, hash }).toEqual({ origin: 'https://api.example', search: '', hash: '' });
        const [, first, last = '', ...others] = pathname.split('/');
        expect({ first, others }).toEqual({ first: 'runs', others: [] });
        const before = /runs\/(.*)\{/.exec(template)?.[1] ?? '';
        expect(decodeURIComponent(last)).toBe(decodeURIComponent(before) + id);
      }),
      { numRuns: 500 },
    );
  });
});
