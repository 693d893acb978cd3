/** What the table of confusables makes of ASCII in lower case. */
const ASCII_LOOKS: Record<string, string> = {
  '0': 'o',
  '1': 'l',
  '|': 'l',
  m: 'rn',
  '`': "'",
  '"': "''",
  '%': 'º/₀',
};
const ASCII = /^[\0-\x7f]*$/;

/**
 * What a name looks like: equal for texts that differ only in case, width or compatibility form, or by characters that are
 * confusable or cannot be seen (UTS #39, section 4). A capital I at the end of a lower-case word counts as the l that it looks
 * like. For comparing, not for showing. A promise where the table is to be loaded first.
 */
export function skeleton(text: string): string | Promise<string> {
  // Loaded on first use: most names are ASCII, and the table has six thousand characters.
  return ofAscii(text) ?? loadSkeleton().then((ofAny) => ofAny(text));
}

/** Gives {@link skeleton} as a function that waits for nothing. */
export async function loadSkeleton(): Promise<(text: string) => string> {
  const { default: withoutConfusables } = await import('unhomoglyph');
  return (text) => ofAscii(text) ?? withoutConfusables(folded(text).normalize('NFD')).toLowerCase();
}

function ofAscii(text: string): string | undefined {
  const plain = folded(text);
  if (!ASCII.test(plain)) return undefined;
  return plain.replace(/[01|m`"%]/g, (char) => ASCII_LOOKS[char] as string);
}

function folded(text: string): string {
  const plain = ASCII.test(text)
    ? text
    : text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return plain.replace(/(?<=\p{Ll})I+(?![\p{Ll}I])/gu, (run) => 'l'.repeat(run.length)).toLowerCase();
}

/** Scripts whose letters pass for those of another. */
const CONFUSABLE_SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);
const WORD = /[\p{L}\p{M}]+/gu;

/** Whether a single word of the text mixes scripts that pass for each other (UTS #39, section 5.1). */
export function mixesScripts(text: string): boolean {
  if (ASCII.test(text)) return false;
  for (const [word] of text.matchAll(WORD)) {
    if (CONFUSABLE_SCRIPTS.filter((script) => script.test(word)).length > 1) return true;
  }
  return false;
}
