import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  type Families,
  fromServers,
  fromSystem,
  hostNames,
  interleave,
  isLocalName,
  isOpen,
  lifetimeMs,
} from '../../src/transport/resolver-rules.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });
const v4 = (count: number, ttl = 60) =>
  Array.from({ length: count }, (_, at) => ({ address: `192.0.2.${at}`, ttl }));

describe('lifetimeMs', () => {
  it.each([
    [[0], 10_000],
    [[10], 10_000],
    [[11, 300], 11_000],
    [[299], 299_000],
    [[2 ** 31 - 1], 300_000],
  ])('of records that live %j seconds is %i', (ttls, expected) => {
    expect(lifetimeMs(ttls.map((ttl) => ({ ttl })))).toBe(expected);
  });
});

describe('interleave', () => {
  test.prop([fc.array(fc.nat()), fc.array(fc.nat())])(
    'alternates, and loses none and no order',
    (six, four) => {
      const all = interleave(
        six.map((each): [string, number] => ['6', each]),
        four.map((each): [string, number] => ['4', each]),
      );
      const of = (family: string) => all.filter(([which]) => which === family).map(([, each]) => each);
      expect([of('6'), of('4')]).toEqual([six, four]);
      const paired = all.slice(0, 2 * Math.min(six.length, four.length));
      expect(paired.every(([family], at) => family === (at % 2 === 0 ? '6' : '4'))).toBe(true);
    },
  );
});

describe('isLocalName', () => {
  it.each(['localhost', 'localhost.', 'printer', 'printer.local', 'a.b.local.', 'app.localhost'])(
    '%s is',
    (name) => expect(isLocalName(name)).toBe(true),
  );
  it.each(['example.com', 'a.example.', 'local.example', 'notlocal.example', 'a.notlocal'])(
    '%s is not',
    (name) => expect(isLocalName(name)).toBe(false),
  );
});

describe('hostNames', () => {
  it('reads names and aliases, without addresses and comments, whatever ends a line', () => {
    const text =
      '127.0.0.1\tlocalhost\r\n# 10.0.0.1 off.example\n\n ::1  Six.Example alias # not.example\r\n10.0.0.2 last.example';
    expect([...hostNames(text)]).toEqual(['localhost', 'six.example', 'alias', 'last.example']);
  });
});

describe('an answer of the name servers', () => {
  it.each<[string, Families, boolean]>([
    ['addresses', { 6: failure('ENOTFOUND'), 4: v4(1) }, false],
    ['no such name', { 6: failure('ENOTFOUND'), 4: failure('ENOTFOUND') }, false],
    ['failing servers', { 6: failure('ESERVFAIL'), 4: failure('ESERVFAIL') }, false],
    ['no addresses', { 6: failure('ENODATA'), 4: failure('ENODATA') }, false],
    ['aliases without addresses', { 6: [], 4: [] }, false],
    [
      'no addresses of one family, a failure of the other',
      { 6: failure('ESERVFAIL'), 4: failure('ENODATA') },
      false,
    ],
    ['a refusal', { 6: failure('EREFUSED'), 4: failure('EREFUSED') }, true],
    ['no server', { 6: failure('ECONNREFUSED'), 4: failure('ECONNREFUSED') }, true],
    ['silence', { 6: failure('ETIMEOUT') }, false],
    ['nothing yet', {}, false],
    ['the end', { 6: failure('ECANCELLED'), 4: failure('ECANCELLED') }, false],
  ])('%s leaves the system to be asked or not', (_what, families, open) => {
    expect(isOpen('a.example', families, 'linux')).toBe(open);
  });

  it.each<[string, NodeJS.Platform, boolean]>([
    ['a.example', 'darwin', true],
    ['a.example', 'win32', true],
    ['a.example', 'linux', false],
    ['a.example', 'freebsd', false],
    ['lan.example', 'linux', false],
    ['a.notlan', 'linux', false],
    ['a.lan', 'linux', true],
    ['a.lan.', 'linux', true],
    ['a.home.arpa', 'linux', true],
    ['a.internal', 'linux', true],
    ['service.namespace.svc', 'linux', true],
  ])('"no such name" for %s on %s leaves the system to be asked: %s', (name, platform, open) => {
    for (const code of ['ENOTFOUND', 'ESERVFAIL']) {
      expect(isOpen(name, { 6: failure(code), 4: failure(code) }, platform)).toBe(open);
    }
    expect(isOpen(name, { 6: failure('ENODATA'), 4: failure('ENODATA') }, platform)).toBe(false);
  });

  it('has the addresses of both families', () => {
    expect(fromServers('a.example', { 6: [{ address: '2001:db8::1', ttl: 30 }], 4: v4(2) })).toEqual({
      addresses: [
        { address: '2001:db8::1', family: 6 },
        { address: '192.0.2.0', family: 4 },
        { address: '192.0.2.1', family: 4 },
      ],
      lifetimeMs: 30_000,
    });
  });

  it('has the reason when it has no address', () => {
    const error = failure('ENODATA');
    expect(fromServers('a.example', { 6: failure('ETIMEOUT'), 4: error })).toEqual({
      error,
      lifetimeMs: 5000,
    });
    expect(fromServers('a.example', { 6: [], 4: [] }).error).toMatchObject({ code: 'ENODATA' });
    expect(fromServers('a.example', {}).error?.message).toBe('no name server answered for a.example in time');
  });
});

it('nobody has more than 256 addresses', () => {
  expect(fromServers('a.example', { 4: v4(256) }).addresses).toHaveLength(256);
  const tooMany = 'a.example has 257 addresses, and at most 256 are taken';
  expect(
    fromServers('a.example', { 4: v4(256), 6: [{ address: '2001:db8::1', ttl: 1 }] }).error?.message,
  ).toBe(tooMany);
  const found = v4(257).map(({ address }) => ({ address, family: 4 }));
  expect(fromSystem('a.example', found).error?.message).toBe(tooMany);
});
