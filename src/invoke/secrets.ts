import type { Redact } from './judge-answer.ts';

const STAND_IN = '[credential]';
/** Shorter texts are words such as `token`, which an answer may have of its own, even as names of its members. */
const MIN_SECRET_LENGTH = 8;

/** Takes what was sent as a secret out of what comes back. */
export class Secrets implements Redact {
  readonly #secrets = new Set<string>();
  /** Whether a secret came back. */
  found = false;

  /** The value of a header, and what follows the scheme in it, where they have eight characters or more. */
  addHeader(value: string): void {
    this.addTexts([value, value.replace(/^\S+\s+/, '')]);
  }

  /** Every text in a value that came from JSON, of eight characters or more. */
  addTexts(value: unknown): void {
    if (typeof value === 'string' && value.length >= MIN_SECRET_LENGTH) this.#secrets.add(value);
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(this.addTexts, this);
  }

  text(text: string): string {
    const found = [...this.#secrets].filter((secret) => text.includes(secret));
    if (found.length === 0) return text;
    this.found = true;
    // One may begin another, of which the rest must not be left.
    const longestFirst = found.sort((a, b) => b.length - a.length);
    return longestFirst.reduce((shown, secret) => shown.replaceAll(secret, STAND_IN), text);
  }

  value(value: unknown): unknown {
    if (this.#secrets.size === 0) return value;
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.text(name), this.value(member)]),
    );
  }
}
