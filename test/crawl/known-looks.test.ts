import { describe, expect, it, vi } from 'vitest';
import { refusedDomain } from '../../src/crawl/discover-provider.ts';
import { KnownLooks } from '../../src/crawl/index.ts';
import type { KeptCopy } from '../../src/transport/index.ts';

const copyOf = (key: string, text = '{}'): KeptCopy => ({
  key,
  entry: {
    ...{ url: `https://${key}/`, redirects: [], headers: [], view: 'anonymous' },
    ...{ text, bytes: text.length, fetchedAt: 0, freshUntil: 60_000 },
  },
});

function lookAt(domain: string) {
  const look = refusedDomain(domain, { code: 'INVALID_DOMAIN', message: '' }, 0);
  return { ...look, outcome: { ...look.outcome, status: 'ok' as const } };
}

describe('KnownLooks', () => {
  it('repeats a look while its copies are fresh, and forgets it once they are not', () => {
    const areFresh = vi.fn(() => true);
    const looks = new KnownLooks(areFresh);
    const copies = [copyOf('a.example')];
    looks.remember(lookAt('a.example'), copies);
    expect(looks.repeat('b.example', 1)).toBeUndefined();
    expect(looks.repeat('a.example', 1)).toMatchObject({ at: 1, outcome: { domain: 'a.example' } });
    expect(areFresh).toHaveBeenLastCalledWith(copies, 1);
    areFresh.mockReturnValueOnce(false);
    expect(looks.repeat('a.example', 2)).toBeUndefined();
    expect(looks.repeat('a.example', 3)).toBeUndefined();
  });

  it('takes up nothing of which a copy is not kept or an entry was rejected', () => {
    const looks = new KnownLooks(() => true);
    const look = lookAt('a.example');
    const rejected = [{ index: 0, code: 'NOT_JSON' as const, message: '' }];
    looks.remember(look, [copyOf('a.example'), undefined]);
    looks.remember({ ...look, outcome: { ...look.outcome, rejected } }, [copyOf('a.example')]);
    expect(looks.repeat('a.example', 1)).toBeUndefined();
  });

  it('holds 64 MiB, texts included', () => {
    const looks = new KnownLooks(() => true);
    for (let i = 0; i < 65; i++) {
      looks.remember(lookAt(`${i}.example`), [copyOf(`${i}.example`, 'x'.repeat(2 ** 20))]);
    }
    expect(looks.repeat('0.example', 1)).toBeUndefined();
    expect(looks.repeat('64.example', 1)).toBeDefined();
  });
});
