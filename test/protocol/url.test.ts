import { describe, expect, it } from 'vitest';
import { isSameSite, parseHttpUrl, withoutQuery } from '../../src/protocol/index.ts';

describe('parseHttpUrl', () => {
  it.each([
    ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
    ['HTTP://EXAMPLE.com:80', 'http://example.com/'],
    ['https://bücher.example/é', 'https://xn--bcher-kva.example/%C3%A9'],
    ['https://example.com/{id}', 'https://example.com/%7Bid%7D'],
  ])('reads %s', (text, href) => {
    const parsed = parseHttpUrl(text);
    expect(parsed.ok && parsed.url.href).toBe(href);
  });

  it.each([
    ['', 'The URL "" is not an absolute http or https URL.'],
    ['javascript:alert(1)', 'The URL "javascript:alert(1)" is not an absolute http or https URL.'],
    ['file:///etc/passwd', 'The URL "file:///etc/passwd" is not an absolute http or https URL.'],
    ['/skills/a.json', 'The URL "/skills/a.json" is not an absolute http or https URL.'],
    ['//example.com/a', 'The URL "//example.com/a" is not an absolute http or https URL.'],
    ['https:example.com', 'The URL "https:example.com" is not an absolute http or https URL.'],
    ['https:///example.com', 'The URL "https:///example.com" is not an absolute http or https URL.'],
    ['https:\\\\example.com', 'The URL "https:\\\\\\\\example.com" is not an absolute http or https URL.'],
    [' https://example.com', 'The URL " https://example.com" is not an absolute http or https URL.'],
    ['https://', 'The URL "https://" is not an absolute http or https URL.'],
    ['https://exa\tmple.com', 'The URL "https://exa\\tmple.com" contains control characters.'],
    ['https://a b/', 'The URL "https://a b/" cannot be parsed.'],
    ['https://example.com:99999', 'The URL "https://example.com:99999" cannot be parsed.'],
    ['https://u@example.com', 'The URL "https://…@example.com" contains user information.'],
    ['https://:p@example.com', 'The URL "https://…@example.com" contains user information.'],
  ])('refuses %j', (text, reason) => {
    expect(parseHttpUrl(text)).toEqual({ ok: false, reason });
  });

  it('refuses more than 8192 characters', () => {
    const url = `https://example.com/${'a'.repeat(8192 - 20)}`;
    expect(parseHttpUrl(url).ok).toBe(true);
    expect(parseHttpUrl(`${url}a`)).toMatchObject({ reason: expect.stringContaining('longer than 8192') });
  });
});

it('shows a URL without what may be secret', () => {
  expect(withoutQuery('https://u:p@example.com:8443/a?token=1#b')).toBe('https://example.com:8443/a');
  expect(withoutQuery(new URL('https://example.com?token=1'))).toBe('https://example.com/');
  expect(withoutQuery('not a url?token=1\n2')).toBe('not a url');
});

describe('isSameSite', () => {
  it.each([
    ['https://example.com', 'https://api.example.com', true],
    ['https://example.com', 'http://example.com:8080', true],
    ['https://example.com.', 'https://example.com', true],
    ['https://a.example.co.uk', 'https://b.example.co.uk', true],
    ['https://a.co.uk', 'https://b.co.uk', false],
    ['https://a.github.io', 'https://b.github.io', false],
    ['https://a.github.io', 'https://x.a.github.io', true],
    ['https://github.io', 'https://a.github.io', false],
    ['https://example.com', 'https://example.org', false],
    ['https://example.com', 'https://badexample.com', false],
    ['https://a.example', 'https://b.a.example', true],
    ['https://xn--bcher-kva.example', 'https://api.bücher.example', true],
    ['https://localhost:1', 'https://localhost:1', true],
    ['https://localhost:1', 'https://localhost:2', false],
    ['https://localhost', 'http://localhost', false],
    ['https://localhost', 'https://localhost.:443', true],
    ['https://10.0.0.1', 'https://10.0.0.1:443', true],
    ['https://10.0.0.1', 'https://10.0.0.1:8443', false],
    ['https://10.0.0.1', 'https://10.0.0.2', false],
    ['https://[::1]:1', 'https://[::1]:1', true],
    ['https://[::1]:1', 'https://[::1]:2', false],
    ['https://1.example.com', 'https://10.0.0.1', false],
  ])('%s and %s: %s', async (a, b, same) => {
    expect(await isSameSite(new URL(a), new URL(b))).toBe(same);
    expect(await isSameSite(new URL(b), new URL(a))).toBe(same);
  });
});

it('reads names beyond ASCII however often it is asked', () => {
  // Node 20 optimises `URL.canParse` after some thousand calls, to one that refuses them.
  const isRead = () => parseHttpUrl('https://b\u00fccher.example/').ok;
  expect(Array.from({ length: 20_000 }, isRead).every(Boolean)).toBe(true);
});
