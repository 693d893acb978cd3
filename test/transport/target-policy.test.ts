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
    'https://mylocalhost/',
    'https://10.0.0.1.example/',
    'https://[2606:4700::1]:443/',
    'https://provider.example:80/',
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
    'http://provider.example:22/',
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

  it.each([
    ['ftp://u:p@provider.example/x?token=1', 'ftp://provider.example/x', 'the scheme ftp: is not fetched'],
    ['http://provider.example/x?token=1', 'http://provider.example/x', 'only https is fetched'],
    ['https://u:p@provider.example/x', 'https://provider.example/x', 'user information in a URL is not sent'],
    ['https://provider.example:22/', 'https://provider.example:22/', 'port 22 is not fetched'],
    ['https://10.1/', 'https://10.0.0.1/', '10.0.0.1 is private'],
    ['https://localhost/', 'https://localhost/', 'localhost is loopback'],
  ])('says why %s is not opened, and no secret', (url, shown, reason) => {
    expect(judge(new URL(url))?.message).toBe(`${shown} is not opened: ${reason}`);
  });

  it("refuses the Fetch standard's 82 bad ports, and no other", async () => {
    const isRefused = (port: number) => judge(new URL(`https://provider.example:${port}/`)) !== undefined;
    const refused = Array.from({ length: 65_535 }, (_, i) => i + 1).filter(isRefused);
    expect(refused).toHaveLength(82);
    for (const port of refused) {
      await expect(fetch(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({
        cause: { message: 'bad port' },
      });
    }
  });

  it('lets localhost through to the connector where loopback is allowed', () => {
    const lenient = createTargetPolicy(createAddressPolicy(['127.0.0.0/8']), true);
    expect(lenient(new URL('http://localhost:8080/'))).toBeUndefined();
    expect(lenient(new URL('http://[::1]:8080/'))?.code).toBe('ADDRESS_REFUSED');
    const onlyV6 = createTargetPolicy(createAddressPolicy(['::1/128']), true);
    expect(onlyV6(new URL('http://localhost:8080/'))).toBeUndefined();
    expect(onlyV6(new URL('http://127.0.0.1:8080/'))?.code).toBe('ADDRESS_REFUSED');
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
