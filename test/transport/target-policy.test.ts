import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../src/transport/address-policy.ts';
import { createTargetPolicy, publicUrl } from '../../src/transport/target-policy.ts';

const judge = createTargetPolicy(createAddressPolicy(false), false);

describe('the target policy', () => {
  it.each([
    'https://provider.example/',
    'https://8.8.8.8/',
    'https://[2606:4700::1]/',
    'https://provider.example:8443/x?y',
    'https://localhost.example/',
  ])('passes %s', (url) => {
    expect(judge(new URL(url))).toBeUndefined();
  });

  it.each([
    'http://provider.example/',
    'ws://provider.example/',
    'ftp://provider.example/',
    'data:,x',
    'javascript:1',
    'https://u@provider.example/',
    'https://:p@provider.example/',
    'https://provider.example:22/',
    'https://provider.example:6667/',
    'https://provider.example:10080/',
  ])('refuses %s as URL_REFUSED', (url) => {
    expect(judge(new URL(url))?.code).toBe('URL_REFUSED');
  });

  it.each([
    'https://127.0.0.1/',
    'http://10.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://127。0。0。1/',
    'https://localhost/',
    'https://a.b.localhost./',
    'https://169.254.169.254/',
  ])('refuses %s as ADDRESS_REFUSED [E2]', (url) => {
    expect(judge(new URL(url))?.code).toBe('ADDRESS_REFUSED');
  });

  it('lets localhost through to the connector where loopback is allowed', () => {
    const lenient = createTargetPolicy(createAddressPolicy(['127.0.0.0/8']), true);
    expect(lenient(new URL('http://localhost:8080/'))).toBeUndefined();
    expect(lenient(new URL('http://[::1]:8080/'))?.code).toBe('ADDRESS_REFUSED');
  });
});

describe('the URL that may be shown', () => {
  it.each([
    ['https://u:p@Provider.example:443/a/b?token=1#x', 'https://provider.example/a/b'],
    ['http://[::1]:8080/', 'http://[::1]:8080/'],
    ['data:text/plain,secret', 'data:'],
  ])('%s → %s', (url, shown) => {
    expect(publicUrl(new URL(url))).toBe(shown);
  });
});
