import { BlockList, isIP } from 'node:net';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { isInRange, parseIp, parseIpRange } from '../../src/transport/ip-address.ts';

const ip = fc.oneof(fc.ipV4(), fc.ipV6());

/** Addresses with a character too many, too few or in the wrong place. */
const nearlyIp = fc
  .tuple(ip, fc.nat(), fc.constantFrom('', ':', '::', '.', '0', '1', 'f', 'g', '%', ' ', '256'), fc.nat(1))
  .map(([text, at, what, gone]) => {
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + what + text.slice(cut + gone);
  });

describe('parseIp', () => {
  test.prop([fc.oneof(ip, nearlyIp)], { numRuns: 2000 })(
    'reads what is an address, and nothing else',
    (text) => {
      expect(parseIp(text) !== undefined).toBe(isIP(text) !== 0);
    },
  );

  test.prop([fc.ipV6()])('reads every spelling of an address as the same', (text) => {
    const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
    expect(parseIp(canonical)).toEqual(parseIp(text));
  });

  it.each([
    ['1.2.3.4', 32, 0x01020304n],
    ['255.255.255.255', 32, 0xffffffffn],
    ['::', 128, 0n],
    ['1:2:3:4:5:6:7::', 128, 0x1000200030004000500060007_0000n],
    ['::1.2.3.4', 128, 0x01020304n],
    ['fe80::A%eth0', 128, (0xfe80n << 112n) | 10n],
  ])('reads %s', (text, size, value) => {
    expect(parseIp(text)).toEqual({ size, value });
  });

  it.each([
    '010.0.0.1',
    '0x7f.0.0.1',
    '127.1',
    '1.2.3.4%1',
    '1.2.3.4::',
    '1::2::3',
    ':::',
    '[::1]',
    '::ffff:1.2.3.256',
  ])('takes %s for none', (text) => {
    expect(parseIp(text)).toBeUndefined();
  });
});

describe('isInRange', () => {
  const pairs = fc.oneof(fc.tuple(fc.ipV4(), fc.ipV4()), fc.tuple(fc.ipV6(), fc.ipV6()));

  test.prop([pairs, fc.nat(128), fc.boolean()], { numRuns: 500 })(
    'says what Node says',
    ([base, other], bits, isBase) => {
      const family = base.includes(':') ? 'ipv6' : 'ipv4';
      const length = Math.min(bits, family === 'ipv4' ? 32 : 128);
      const text = isBase ? base : other;
      const list = new BlockList();
      list.addSubnet(base, length, family);
      expect(isIn(text, `${base}/${length}`)).toBe(list.check(text, family));
    },
  );

  it('tells the families apart', () => {
    expect(isIn('::', '0.0.0.0/0')).toBe(false);
    expect(isIn('0.0.0.0', '::/0')).toBe(false);
  });
});

function isIn(ip: string, range: string): boolean {
  const [address, parsed] = [parseIp(ip), parseIpRange(range)];
  if (!address || !parsed) throw new Error(`${ip} or ${range} was not read`);
  return isInRange(address, parsed);
}
