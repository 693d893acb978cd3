import { describe, expect, it } from 'vitest';
import { credentialLookup } from '../../src/client/credentials.ts';
import { resolveOptions } from '../../src/client/options.ts';

const message = (options: object): string => {
  try {
    resolveOptions(options);
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('resolveOptions', () => {
  it.each([
    [{ timeout: 5 }, 'timeout: there is no such option'],
    [{ http: { timeout: 5 } }, 'http.timeout: there is no such option'],
    [{ unsafe: { allowhttp: true } }, 'unsafe.allowhttp: there is no such option'],
    [{ http: { timeoutMs: 0 } }, 'http.timeoutMs: expected a whole number from 1 to 3600000'],
    [{ http: { timeoutMs: 1.5 } }, 'http.timeoutMs: expected a whole number from 1 to 3600000'],
    [{ http: { timeoutMs: '5' } }, 'http.timeoutMs: expected a whole number from 1 to 3600000'],
    [
      { concurrency: { global: Number.POSITIVE_INFINITY } },
      'concurrency.global: expected a whole number from 1 to 10000',
    ],
    [{ limits: { maxDepth: 3 } }, 'limits.maxDepth: expected a whole number from 4 to 1000'],
    [{ http: 5 }, 'http: expected an object'],
    [{ http: { proxy: 'proxy.example:3128' } }, 'http.proxy: expected an http or https URL'],
    [{ descriptorOrigins: 'all' }, "descriptorOrigins: expected 'same-site', 'any' or a function"],
    [{ onEvent: 'log' }, 'onEvent: expected a function'],
    [{ unsafe: { allowHttp: 'yes' } }, 'unsafe.allowHttp: expected a boolean'],
    [{ userAgent: 7 }, 'userAgent: expected the value of a request header'],
    [{ userAgent: 'a\nb' }, 'userAgent: expected the value of a request header'],
    [{ unsafe: null }, 'unsafe: expected an object'],
    [
      { unsafe: { allowPrivateAddresses: '10.0.0.0/8' } },
      'unsafe.allowPrivateAddresses: expected a boolean or a list of CIDR ranges',
    ],
    [{ credentials: null }, 'credentials: expected an object'],
    [
      { store: {} },
      'store: expected an object with apply, find, get, changes, providers, collisions, revision, close',
    ],
    [{ clock: 5 }, 'clock: expected an object with now, sleep, random'],
    [{ cache: { negative: { absent: 5 } } }, 'cache.negative.absent: there is no such option'],
  ])('refuses %j', (options, expected) => {
    expect(message(options)).toBe(expected);
  });

  it('names the protocol version it cannot support', () => {
    expect(message({ protocolVersion: '1.0' })).toBe('protocolVersion: expected MAJOR.MINOR.PATCH');
  });

  it('takes the least and the most of a range, and undefined for the default', () => {
    expect(message({ http: { timeoutMs: 1, maxRedirects: 0, retries: undefined }, cache: undefined })).toBe(
      'accepted',
    );
    expect(resolveOptions({}).transport.http.timeoutMs).toBe(10_000);
  });

  it('says who asks', () => {
    expect(resolveOptions({}).transport.userAgent).toMatch(/^skillscout\/\d+\.\d+\.\d+ \(\+https:\/\/.+\)$/);
  });
});

describe('credentialLookup', () => {
  it('gives the header of the origin that it is for, and nothing for others', async () => {
    const lookup = credentialLookup({
      'https://A.example:443/': { bearer: 'abc' },
      'https://b.example': async () => ({ header: 'X-Key', value: 'k', label: 'team' }),
      'http://127.0.0.1:8080': { header: 'x-key', value: 'local' },
    });
    expect(await lookup('https://a.example')).toEqual({
      label: 'authenticated',
      header: 'authorization',
      value: 'Bearer abc',
    });
    expect(await lookup('https://b.example')).toEqual({ label: 'team', header: 'x-key', value: 'k' });
    expect(await lookup('http://127.0.0.1:8080')).toMatchObject({ value: 'local' });
    expect(lookup('https://b.example:8443')).toBeUndefined();
    expect(lookup('https://www.a.example')).toBeUndefined();
  });

  it.each([
    ['http://a.example', { bearer: 'secret-1' }],
    ['http://127.0.0.1.a.example', { bearer: 'secret-1' }],
    ['https://a.example/path', { bearer: 'secret-1' }],
    ['a.example', { bearer: 'secret-1' }],
    ['https://a.example', { header: 'Host', value: 'secret-1' }],
    ['https://a.example', { header: 'Transfer-Encoding', value: 'secret-1' }],
    ['https://a.example', { header: 'x key', value: 'secret-1' }],
    ['https://a.example', { header: 'x-key', value: 'secret-1\r\nx: y' }],
    ['https://a.example', { header: 'x-key', value: 'secret-1\u0007' }],
    ['https://a.example', { header: 'x-key', value: '' }],
    ['https://a.example', { bearer: 'secret-1', label: 'anonymous' }],
  ])('refuses %s with %j, without repeating the secret', (origin, credential) => {
    expect(() => credentialLookup({ [origin]: credential })).toThrow(TypeError);
    expect(() => credentialLookup({ [origin]: credential })).not.toThrow(/secret-1/);
  });

  it('judges what a function gives when it is asked', async () => {
    const lookup = credentialLookup({ 'https://a.example': async () => ({ header: 'Host', value: 'x' }) });
    await expect(lookup('https://a.example')).rejects.toThrow(TypeError);
  });
});
