import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../src/transport/address-policy.ts';

const metadata = ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'];

describe('the address policy', () => {
  const judge = createAddressPolicy(false);

  it.each([
    ['unspecified', '0.0.0.0', '0.255.255.255', '::', '::ffff:0.0.0.0'],
    ['private', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0'],
    ['private', '192.168.255.255', 'fc00::', 'fdff:ffff::1', '::ffff:10.0.0.1', '64:ff9b::a00:1'],
    ['private', '2002:a00:1::', '2002:c0a8:1::1'],
    ['shared by carriers', '100.64.0.0', '100.127.255.255'],
    ['loopback', '127.0.0.0', '127.255.255.255', '::1', '2002:7f00:1::'],
    ['loopback', '::ffff:7f00:1', '64:ff9b::127.0.0.1', '64:ff9b::7f00:1'],
    ['link-local', '169.254.0.0', '169.254.255.255', 'fe80::', 'febf:ffff::1', 'fe80::1%eth0'],
    ['reserved', '192.0.0.0', '192.0.0.255', '192.88.99.0', '192.88.99.255', '240.0.0.0', '255.255.255.255'],
    ['reserved', '2001::', '2001:2::1', '2001:10::1', '2001:1ff:ffff::1'],
    ['for documentation', '192.0.2.0', '192.0.2.255', '198.51.100.0', '198.51.100.255', '203.0.113.0'],
    ['for documentation', '203.0.113.255', '2001:db8::', '2001:db8:ffff::1', '3fff::', '3fff:fff:ffff::1'],
    ['for benchmarks', '198.18.0.0', '198.19.255.255'],
    ['multicast', '224.0.0.0', '239.255.255.255', 'ff00::', 'ffff::1'],
    ['outside global unicast', '::2', '100::1', '1fff::1', '4000::1', '5f00::1', 'fbff::1', 'fe00::1'],
    [
      'outside global unicast',
      'fe7f::1',
      'fec0::1',
      'feff::1',
      '::127.0.0.1',
      '::808:808',
      '::8.8.8.8',
      '::8.8.8.8%1',
    ],
    ['outside global unicast', '::ffff:0:7f00:1', '64:ff9b:1::808:808', '64:ff9b::1:0:0'],
  ])('refuses what is %s', (reason, ...ips) => {
    for (const ip of ips) expect([ip, judge(ip)]).toEqual([ip, reason]);
  });

  it.each([
    ...['1.0.0.0', '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
    ...['126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
    ...['191.255.255.255', '192.0.1.0', '192.0.1.255', '192.0.3.0', '192.88.98.255', '192.88.100.0'],
    ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255', '198.51.101.0'],
    ...['203.0.112.255', '203.0.114.0', '223.255.255.255'],
    ...['2000::', '2001:200::', '2001:4860:4860::8888', '2001:db7:ffff::1', '2001:db9::', '2606:4700::1'],
    ...['2002:808:808::1', '2002:808:808:7f00:1::', '2003::1', '3ffe:ffff::1', '3fff:1000::'],
    ...['::ffff:8.8.8.8', '64:ff9b::808:808'],
  ])('passes %s', (ip) => {
    expect(judge(ip)).toBeUndefined();
  });

  it.each(['', 'localhost', 'example.test', '1.2.3.4.5', '[::1]'])(
    'refuses %j, which is no address',
    (text) => {
      expect(judge(text)).toBe('not an IP address');
    },
  );

  it('passes everything private when told to', () => {
    const all = createAddressPolicy(true);
    for (const ip of ['127.0.0.1', '10.0.0.1', '::1', 'fd00::1', '::ffff:10.0.0.1'])
      expect(all(ip)).toBeUndefined();
  });

  it('passes only what lies in the ranges', () => {
    const some = createAddressPolicy(['10.1.0.0/16', 'fd12::/16']);
    const inside = [
      '10.1.2.3',
      '::ffff:10.1.2.3',
      '64:ff9b::a01:203',
      '2002:a01:203::1',
      'fd12::1',
      'fd12::1%1',
    ];
    for (const ip of [...inside, '8.8.8.8']) {
      expect(some(ip)).toBeUndefined();
    }
    for (const ip of ['10.2.0.1', '127.0.0.1', 'fd13::1', '::ffff:10.2.0.1'])
      expect(some(ip)).toEqual(expect.any(String));
  });

  it.each(metadata)('never passes the metadata service at %s, embedded or not', (ip) => {
    const spellings = ip.includes(':') ? [ip, `${ip}%1`] : [ip, ...embeddings(ip)];
    for (const allowed of [true, ['0.0.0.0/0', '::/0']]) {
      const open = createAddressPolicy(allowed);
      for (const spelling of spellings) expect(open(spelling)).toBe('a metadata service');
    }
  });

  it.each(['10.0.0.1', '10.0.0.0/33', 'example.test/8', '', '::/129'])(
    'names the range %j that is none',
    (entry) => {
      expect(() => createAddressPolicy(['10.0.0.0/8', entry])).toThrow(
        expect.objectContaining({
          name: 'TypeError',
          message: expect.stringContaining(JSON.stringify(entry)),
        }),
      );
    },
  );

  it('judges an embedded IPv4 address as strictly as the address itself', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        if (judge(ip) !== undefined) {
          for (const spelling of embeddings(ip)) expect(judge(spelling)).toEqual(expect.any(String));
        } else {
          expect(judge(`::ffff:${ip}`)).toBeUndefined();
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** Every IPv6 form that carries an IPv4 address. */
function embeddings(ip: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number);
  const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  return [
    `::ffff:${ip}`,
    `::${ip}`,
    `::ffff:0:${groups}`,
    `64:ff9b::${groups}`,
    `64:ff9b:1::${groups}`,
    `2002:${groups}::1`,
  ];
}
