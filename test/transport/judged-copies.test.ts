import { describe, expect, it, vi } from 'vitest';
import type { Check, HttpResponse } from '../../src/transport/index.ts';
import { JudgedCopies } from '../../src/transport/judged-copies.ts';

const response = (given: Partial<HttpResponse> & { mitigated?: string } = {}): HttpResponse => ({
  url: 'https://a.example/',
  status: 200,
  contentType: 'application/json',
  text: 'x',
  header: (name) => (name === 'cf-mitigated' ? given.mitigated : undefined),
  ...given,
});
const checkOf = (bytes?: number) =>
  vi.fn<Check<string>>(({ text }) => ({ ok: true, value: text, ...(bytes !== undefined && { bytes }) }));

describe('JudgedCopies', () => {
  it('asks a check once for what says the same', () => {
    const judged = new JudgedCopies();
    const check = checkOf(10);
    for (const _ of [1, 2]) {
      expect(judged.judge('key', response(), check)).toMatchObject({ ok: true, value: 'x' });
    }
    expect(check).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['text', response({ text: 'y' })],
    ['URL', response({ url: 'https://a.example/b' })],
    ['media type', response({ contentType: 'text/html' })],
    ['mark of a challenge', response({ mitigated: 'challenge' })],
    ['status', response({ status: 206 })],
  ])('asks it again for another %s', (_, other) => {
    const judged = new JudgedCopies();
    const check = checkOf(10);
    judged.judge('key', response(), check);
    judged.judge('key', other, check);
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('asks another check, and whatever has no key or does not tell its size', () => {
    const judged = new JudgedCopies();
    const [one, other, sizeless] = [checkOf(10), checkOf(10), checkOf()];
    for (const check of [one, other, sizeless, sizeless]) judged.judge('key', response(), check);
    for (const _ of [1, 2]) judged.judge(undefined, response(), one);
    expect([one, other, sizeless].map((check) => check.mock.calls.length)).toEqual([3, 1, 2]);
  });

  it('holds 64 MiB, texts included', () => {
    const judged = new JudgedCopies();
    const check = checkOf(2 ** 20);
    const text = 'x'.repeat(2 ** 20);
    for (let i = 0; i < 40; i++) judged.judge(`${i}`, response({ text }), check);
    judged.judge('39', response({ text }), check);
    expect(check).toHaveBeenCalledTimes(40);
    judged.judge('0', response({ text }), check);
    expect(check).toHaveBeenCalledTimes(41);
  });
});
