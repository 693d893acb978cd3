import type { Credential } from './exchange.ts';

/**
 * Makes cache keys of kind, credential and URL. The credential enters as an HMAC-SHA-256 under `secret`, by default a random one:
 * what one caller may see is never shown to another, and keys tell nobody the credential.
 */
export function createCacheKeys(
  secret: Uint8Array = crypto.getRandomValues(new Uint8Array(32)),
): (kind: string, url: URL, credential?: Credential) => string | Promise<string> {
  let imported: Promise<CryptoKey> | undefined;
  const secretKey = async (kind: string, url: URL, credential: Credential) => {
    imported ??= crypto.subtle.importKey(
      'raw',
      new Uint8Array(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    const bytes = new TextEncoder().encode(`${credential.header.toLowerCase()}: ${credential.value}`);
    const digest = new Uint8Array(await crypto.subtle.sign('HMAC', await imported, bytes));
    const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return `${kind} ${hex} ${url.href}`;
  };
  return (kind, url, credential) =>
    credential ? secretKey(kind, url, credential) : `${kind} anonymous ${url.href}`;
}
