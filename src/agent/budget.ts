/*
 * Tokens are counted without a tokenizer, and on the safe side of all: lower-case ASCII letters and spaces count half a
 * token, everything else one for each byte of its UTF-8. Tokenizers over bytes never need more than that; of letters they
 * take five to a token in English, and two where they were drawn by lot.
 */
const SPACE = 0x20;

/** What a text costs at most, in tokens. */
export function tokensOf(text: string): number {
  let tokens = 0;
  for (let i = 0; i < text.length; i += 1) tokens += unitCost(text.charCodeAt(i));
  return tokens;
}

function unitCost(unit: number): number {
  if (unit === SPACE || (unit >= 0x61 && unit <= 0x7a)) return 0.5;
  if (unit < 0x80) return 1;
  // Half of a pair, which takes four bytes, counts two.
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
}

/** What a value costs at most as JSON, in tokens. */
export function jsonTokens(value: unknown): number {
  return tokensOf(JSON.stringify(value));
}

const MARK = '…';
const MARK_COST = 3;
const QUOTES_COST = 2;

/** The text where it costs at most `tokens` within a JSON string, else as much of it as does with `…` behind it. */
export function cut(text: string, tokens: number): string {
  let cost = 0;
  let end = 0;
  let last = 0;
  for (const char of text) {
    cost += jsonTokens(char) - QUOTES_COST;
    if (cost > tokens) return last === 0 ? '' : text.slice(0, last) + MARK;
    end += char.length;
    if (cost <= tokens - MARK_COST) last = end;
  }
  return text;
}

/**
 * Splits `total` evenly among those who need something: the most that each may get, so that who needs less leaves the rest to
 * the others.
 */
export function evenShare(needs: readonly number[], total: number): number {
  let left = total;
  const ascending = [...needs].sort((a, b) => a - b);
  for (const [i, need] of ascending.entries()) {
    const share = left / (ascending.length - i);
    if (need > share) return share;
    left -= need;
  }
  return Number.POSITIVE_INFINITY;
}
