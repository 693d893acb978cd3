// What a structural character may stand in for: each state lists the tokens it takes.
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end';

const SPACE = /[ \t\n\r]*/y;
const LITERAL = /(?:true|false|null)(?![A-Za-z0-9])|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Where the string that opens at `at` ends (`ok`), or where it goes wrong. */
function skipString(text: string, at: number): { ok: boolean; at: number } {
  let i = at + 1;
  while (i < text.length) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) return { ok: true, at: i + 1 };
    if (unit < 0x20) return { ok: false, at: i };
    const next = unit === 0x5c ? skip(ESCAPE, text, i) : i + 1;
    if (next === i) return { ok: false, at: i };
    i = next;
  }
  return { ok: false, at: i };
}

/**
 * The index of the first character at which a text stops being JSON (RFC 8259), or its length where it ends too early.
 * Engines word their own messages differently and often leave the position out.
 */
export function firstFault(text: string): number {
  const open: ('[' | '{')[] = [];
  let expected = 'value' as Expected;
  let at = 0;
  for (;;) {
    at = skip(SPACE, text, at);
    const char = text[at];
    if (char === undefined) return at;
    const inner = open.at(-1);
    if (expected === ':') {
      if (char !== ':') return at;
      expected = 'value';
      at += 1;
    } else if (expected === ', or end') {
      if (char === ',' && inner !== undefined) expected = inner === '[' ? 'value' : 'name';
      else if ((char === ']' && inner === '[') || (char === '}' && inner === '{')) open.pop();
      else return at;
      at += 1;
    } else if ((char === ']' && expected === 'value or ]') || (char === '}' && expected === 'name or }')) {
      open.pop();
      expected = ', or end';
      at += 1;
    } else if (char === '"') {
      const string = skipString(text, at);
      if (!string.ok) return string.at;
      expected = expected === 'name' || expected === 'name or }' ? ':' : ', or end';
      at = string.at;
    } else if (expected === 'name' || expected === 'name or }') {
      return at;
    } else if (char === '[' || char === '{') {
      open.push(char);
      expected = char === '[' ? 'value or ]' : 'name or }';
      at += 1;
    } else {
      const end = skip(LITERAL, text, at);
      if (end === at) return at;
      expected = ', or end';
      at = end;
    }
  }
}
