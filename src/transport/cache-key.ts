import type { Credential } from './exchange.ts';

/**
 * Makes cache keys of kind, credential and URL. The credential enters as an HMAC-SHA-256 under a random key of this function:
 * what one caller may see is never shown to another, and keys tell nobody the secret.
 */
export function createCacheKeys(): (kind: string, url: URL, credential?: Credential) => Promise<string> {
  let secret: Promise<CryptoKey> | undefined;
  return async (kind, url, credential) => {
    if (credential === undefined) return `${kind} anonymous ${url.href}`;
    secret ??= crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const bytes = new TextEncoder().encode(`${credential.header.toLowerCase()}: ${credential.value}`);
    const digest = new Uint8Array(await crypto.subtle.sign('HMAC', await secret, bytes));
    const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return `${kind} ${hex} ${url.href}`;
  };
}
