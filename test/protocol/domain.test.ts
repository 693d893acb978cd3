import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SkillscoutError } from '../../src/errors.ts';
import { parseDomain, wellKnownUrl } from '../../src/protocol/index.ts';

describe('parseDomain', () => {
  it.each([
    ['example.com', 'example.com', 'https://example.com', 'example.com', 443],
    ['EXAMPLE.com', 'example.com', 'https://example.com', 'example.com', 443],
    ['example.com.', 'example.com', 'https://example.com', 'example.com', 443],
    ['example.com:443', 'example.com', 'https://example.com', 'example.com', 443],
    ['example.com.:8443', 'example.com:8443', 'https://example.com:8443', 'example.com', 8443],
    ['example.com:80', 'example.com:80', 'https://example.com:80', 'example.com', 80],
    ['https://example.com', 'example.com', 'https://example.com', 'example.com', 443],
    ['HTTPS://Example.com:443/', 'example.com', 'https://example.com', 'example.com', 443],
    ['http://example.com/', 'http://example.com', 'http://example.com', 'example.com', 80],
    ['http://example.com:80', 'http://example.com', 'http://example.com', 'example.com', 80],
    ['http://example.com:443', 'http://example.com:443', 'http://example.com:443', 'example.com', 443],
    ['localhost:3000', 'localhost:3000', 'https://localhost:3000', 'localhost', 3000],
    [
      'bücher.example',
      'xn--bcher-kva.example',
      'https://xn--bcher-kva.example',
      'xn--bcher-kva.example',
      443,
    ],
    [
      '例え。テスト',
      'xn--r8jz45g.xn--zckzah',
      'https://xn--r8jz45g.xn--zckzah',
      'xn--r8jz45g.xn--zckzah',
      443,
    ],
    ['_x.a-b.example', '_x.a-b.example', 'https://_x.a-b.example', '_x.a-b.example', 443],
    ['127.1', '127.0.0.1', 'https://127.0.0.1', '127.0.0.1', 443],
    ['１２７.０.０.１', '127.0.0.1', 'https://127.0.0.1', '127.0.0.1', 443],
    ['[::1]:8080', '[::1]:8080', 'https://[::1]:8080', '[::1]', 8080],
    ['[0:0:0:0:0:0:0:1]', '[::1]', 'https://[::1]', '[::1]', 443],
    [
      `${'a'.repeat(63)}.example`,
      `${'a'.repeat(63)}.example`,
      `https://${'a'.repeat(63)}.example`,
      `${'a'.repeat(63)}.example`,
      443,
    ],
  ])('reads %s', (input, domain, origin, host, port) => {
    expect(parseDomain(input)).toEqual({ domain, origin, host, port });
  });

  it.each([
    ['nothing', ''],
    ['white space inside', 'exa mple.com'],
    ['white space around', ' example.com'],
    ['a line end', 'example.com\n'],
    ['a control character', 'exa\u0000mple.com'],
    ['a path', 'example.com/skills'],
    ['a slash without a scheme', 'example.com/'],
    ['a path of an origin', 'https://example.com/skills'],
    ['two slashes', 'https://example.com//'],
    ['a query', 'https://example.com?x'],
    ['a fragment', 'https://example.com#x'],
    ['user information', 'https://user:secret@example.com'],
    ['user information without a scheme', 'user@example.com'],
    ['another scheme', 'ftp://example.com'],
    ['a script', 'javascript:alert(1)'],
    ['a scheme without slashes', 'https:example.com'],
    ['a wildcard', '*.example.com'],
    ['a wildcard in full width', '\uff0a.example.com'],
    ['percent-encoding', 'ex%61mple.com'],
    ['percent-encoding in full width', 'ex\uff0561mple.com'],
    ['a backslash', 'example.com\\evil.example'],
    ['a soft hyphen', 'exam\u00adple.com'],
    ['a zero-width space', 'exam\u200bple.com'],
    ['a variation selector', 'example\ufe0f.com'],
    ['port 0', 'example.com:0'],
    ['port 65536', 'example.com:65536'],
    ['a port of six digits', 'example.com:000443'],
    ['an empty port', 'example.com:'],
    ['a port that is none', 'example.com:https'],
    ['an IPv6 address without brackets', '::1'],
    ['an IPv6 zone', '[fe80::1%25eth0]'],
    ['a broken IPv6 address', '[::g]'],
    ['an IPv4 address out of range', '256.1.1.1'],
    ['an empty label', 'example..com'],
    ['two trailing dots', 'example.com..'],
    ['a leading dot', '.example.com'],
    ['a dot alone', '.'],
    ['a label of 64', `${'a'.repeat(64)}.example`],
    ['a name past 253', `${'a.'.repeat(127)}com`],
    ['a slash in full width', 'example.com\uff0fx'],
    ['quotes', '"example.com"'],
    ['endless text', 'é'.repeat(1e6)],
  ])('refuses %s', (_, input) => {
    expect(() => parseDomain(input)).toThrow(SkillscoutError);
    expect(() => wellKnownUrl(input)).toThrow(SkillscoutError);
  });

  it('says what it was given and what it wants', () => {
    expect(() => parseDomain('a/\u001b[2J')).toThrow(
      expect.objectContaining({
        code: 'INVALID_DOMAIN',
        message:
          '"a/\\u001b[2J" is not a domain: expected host, host:port or an http or https origin without a path.',
      }),
    );
    expect(() => parseDomain(7 as never)).toThrow(expect.objectContaining({ code: 'INVALID_DOMAIN' }));
  });

  it('refuses every character that IDNA would drop', () => {
    const dropped: string[] = [];
    for (let code = 0x80; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const char = String.fromCodePoint(code);
      const url = `https://a${char}b.example`;
      if (URL.canParse(url) && new URL(url).hostname === 'ab.example') dropped.push(char);
    }
    expect(dropped.length).toBeGreaterThan(20);
    for (const char of dropped) expect(() => parseDomain(`a${char}b.example`)).toThrow(SkillscoutError);
  });

  it('leaves canonical domains as they are', () => {
    let read = 0;
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4Extended(),
      fc.ipV6().map((address) => `[${address}]`),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    );
    const input = fc
      .tuple(fc.constantFrom('', 'https://', 'http://'), host, fc.constantFrom('', ':443', ':80', ':8080'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(input, (text) => {
        const first = canonical(text);
        if (first === undefined) return;
        read += 1;
        expect(parseDomain(first.domain)).toEqual(first);
        expect(parseDomain(first.origin)).toEqual(first);
        expect(new URL(wellKnownUrl(text)).href).toBe(`${first.origin}/.well-known/skill-sharing`);
      }),
      { numRuns: 1000 },
    );
    expect(read).toBeGreaterThan(300);

    function canonical(text: string) {
      try {
        return parseDomain(text);
      } catch {
        return undefined;
      }
    }
  });
});
