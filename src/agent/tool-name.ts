import { sha256 } from '@noble/hashes/sha2.js';
import { canonicalJson, type SkillSummary } from '../protocol/index.ts';

const MAX_SLUG_LENGTH = 40;
const MAX_TEXT = 512;
const HASH_LENGTH = 16;
const NO_WORDS = 'skill';
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const NAME = /^skill_([a-z0-9_]{1,40})_[a-z2-7]{16}$/;

/**
 * `skill_<slug>_<hash>`: the slug is the words of the skill's name that are ASCII without their accents, else those of its
 * id, else `skill`; the hash is the first 80 bits of the SHA-256 of the canonical JSON of `[domain, id]`, in base32 (RFC 4648).
 * So nobody but its publisher can take a skill's name, nor that of a tool of another kind.
 */
export function toolName({ domain, id, name }: Pick<SkillSummary, 'domain' | 'id' | 'name'>): string {
  const slug = slugOf(name) || slugOf(id) || NO_WORDS;
  return `skill_${slug}_${base32(sha256(new TextEncoder().encode(canonicalJson([domain, id]))))}`;
}

/**
 * The words for which a skill with this name can be found: none where its slug says nothing. Undefined for what is no name
 * of a skill's tool.
 */
export function wordsOfToolName(name: string): string | undefined {
  const slug = NAME.exec(name)?.[1];
  return slug === NO_WORDS ? '' : slug?.replaceAll('_', ' ');
}

function slugOf(text: string): string {
  const plain = text.slice(0, MAX_TEXT).normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => /^[a-z0-9]+$/.test(word));
  return words.join('_').slice(0, MAX_SLUG_LENGTH).replace(/_$/, '');
}

function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5 && text.length < HASH_LENGTH; bits -= 5) {
      text += ALPHABET.charAt((value >>> (bits - 5)) & 31);
    }
    value &= 31;
  }
  return text;
}
