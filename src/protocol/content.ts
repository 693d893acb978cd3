import { canonicalJson } from './canonical.ts';
import type { SkillSummary } from './outcomes.ts';

/** The members of a record that are its publisher's, without when and how they were read. */
type Content = Pick<
  SkillSummary,
  'id' | 'name' | 'capability_type' | 'description' | 'descriptor_url' | 'access' | 'version'
>;

/** What a publisher says of a skill, in its index and in its descriptor. */
export function contentOf(entry: Content, descriptor: unknown) {
  const { id, name, capability_type, description, descriptor_url, access, version } = entry;
  return { id, name, capability_type, description, descriptor_url, access, version, descriptor };
}

/**
 * SHA-256 of the canonical JSON of {@link contentOf} (RFC 8785), in hexadecimal: equal exactly when nothing of the content
 * has changed. A promise where the platform hashes elsewhere.
 */
export function contentHash(entry: Content, descriptor: unknown): string | Promise<string> {
  sha256 ??= platformSha256();
  return sha256(canonicalJson(contentOf(entry, descriptor)));
}

type Hash = (text: string) => string | Promise<string>;

let sha256: Hash | undefined;

/**
 * Node's own crypto where it is: for a text of some kilobytes, Web Crypto's way through another thread takes many times as long as
 * the hash.
 */
function platformSha256(): Hash {
  const node = globalThis.process?.getBuiltinModule?.('crypto');
  if (node) return (text) => node.createHash('sha256').update(text).digest('hex');
  return async (text) => {
    const bytes = new TextEncoder().encode(text);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  };
}
