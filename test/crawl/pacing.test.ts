import { describe, expect, it } from 'vitest';
import { createPacing } from '../../src/crawl/pacing.ts';
import type { GetRequest } from '../../src/transport/index.ts';
import { settle } from '../support/deferred.ts';
import { createFakeGet, type FakeAnswer } from '../support/fake-get.ts';
import { createManualClock } from '../support/manual-clock.ts';

const { signal } = new AbortController();

function setUp(answers: FakeAnswer[], minGapMs = 0) {
  const clock = createManualClock();
  const pacing = createPacing({ clock, minGapMs, maxRetryAfterMs: 30_000, global: 2, perOrigin: 1 });
  const fake = createFakeGet({ 'https://a.example/x': () => answers.shift() ?? {} }, clock.now);
  const get = pacing.retrying((request) =>
    pacing.schedule(new URL(request.url).origin, signal, () => fake.get(request)),
  );
  const request: GetRequest<string> = {
    url: 'https://a.example/x',
    kind: 'test',
    cacheMode: 'use',
    check: ({ status, text, retryAfterMs }) => {
      if (status === 200) return { ok: true, value: text };
      const details = { status, ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }) };
      return { ok: false, failure: { code: 'RATE_LIMITED', message: 'slow down', details } };
    },
  };
  return { clock, pacing, get: () => get(request), asked: fake.asked };
}

describe('createPacing', () => {
  it('asks again after a pause that is worth waiting for, and counts both requests', async () => {
    const { clock, get, asked } = setUp([{ status: 429, retryAfterMs: 5000 }, { body: 'done' }]);
    const run = get();
    await clock.advance(4999);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    expect(await run).toMatchObject({ ok: true, value: 'done', report: { requests: 2 } });
  });

  it('[F3] does not wait for a day, and does not ask again meanwhile', async () => {
    const { get, asked, pacing } = setUp([{ status: 429, retryAfterMs: 86_400_000 }]);
    expect(await get()).toMatchObject({ ok: false, failure: { code: 'RATE_LIMITED' } });
    expect(asked).toHaveLength(1);
    const next = pacing.schedule('https://a.example', signal, async () => 'sent');
    await expect(next).rejects.toMatchObject({ name: 'SkillscoutError', code: 'RATE_LIMITED' });
    expect(await pacing.schedule('https://b.example', signal, async () => 'sent')).toBe('sent');
  });

  it('gives up after two pauses', async () => {
    const { clock, get, asked } = setUp(
      Array.from({ length: 9 }, () => ({ status: 429, retryAfterMs: 1000 })),
    );
    const run = get();
    await clock.advance(60_000);
    expect(await run).toMatchObject({
      ok: false,
      failure: { code: 'RATE_LIMITED' },
      report: { requests: 3 },
    });
    expect(asked).toHaveLength(3);
  });

  it('backs off by itself where a 429 names no time', async () => {
    const { clock, get, asked } = setUp([{ status: 429 }, { status: 429 }, { body: 'done' }]);
    const run = get();
    await clock.advance(999);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    expect(asked).toHaveLength(2);
    await clock.advance(1999);
    expect(asked).toHaveLength(2);
    await clock.advance(1);
    expect(await run).toMatchObject({ ok: true, value: 'done' });
  });

  it('takes a failure without a wish for a pause as it is', async () => {
    const { get, asked } = setUp([{ status: 500 }]);
    expect(await get()).toMatchObject({ ok: false });
    expect(asked).toHaveLength(1);
  });

  it('[F6] holds no slot while it waits', async () => {
    const { clock, get, pacing } = setUp([{ status: 429, retryAfterMs: 30_000 }]);
    const waiting = get();
    await settle();
    const others = await Promise.all(
      Array.from({ length: 50 }, (_, i) => pacing.schedule(`https://${i}.example`, signal, async () => i)),
    );
    expect(others).toHaveLength(50);
    await clock.advance(30_000);
    expect(await waiting).toMatchObject({ ok: true });
  });

  it('[C11] waits no longer for a pause or a gap after the clock was set back by a day', async () => {
    const { clock, get, pacing } = setUp(
      Array.from({ length: 3 }, () => ({ status: 429, retryAfterMs: 5000 })),
      500,
    );
    const sent: number[] = [];
    const send = () => pacing.schedule('https://a.example', signal, async () => sent.push(clock.now()));
    const run = get();
    await clock.advance(10_000);
    await run;
    const back = clock.now() - 86_400_000;
    clock.set(back);
    void send();
    await clock.advance(5000);
    clock.set(back);
    void send();
    await clock.advance(500);
    expect(sent).toEqual([back + 5000, back + 500]);
  });

  it('says what it knows of the failures for which it leaves an origin alone', async () => {
    const failure = { code: 'TIMEOUT' as const, message: 'too late', details: { tried: 2 } };
    const { pacing, get } = setUp(Array.from({ length: 8 }, () => ({ broken: failure })));
    for (let n = 0; n < 8; n += 1) await get();
    const refused = pacing.schedule('https://a.example', signal, async () => 'sent');
    await expect(refused).rejects.toMatchObject({ code: 'TIMEOUT', details: { tried: 2 } });
  });

  it('leaves the pause when the signal aborts', async () => {
    const { pacing, get, clock } = setUp([{ status: 429, retryAfterMs: 20_000 }]);
    const run = get();
    await settle();
    const controller = new AbortController();
    const waiting = pacing.schedule('https://a.example', controller.signal, async () => 'sent');
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await clock.advance(20_000);
    await run;
    expect(clock.sleepers).toBe(0);
  });
});
