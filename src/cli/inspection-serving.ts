import type { Found } from './inspection.ts';
import type { Served } from './inspection-look.ts';
import type { OtherRule } from './inspection-rules.ts';

/** What can be said against how documents are served. Of several with the same fault the first stands for all. */
export function servingFaults(documents: readonly Served[], isAnonymous: boolean): Found[] {
  const faults = new Map<string, { first: Found; others: number }>();
  for (const served of documents) {
    const { document } = served;
    for (const [code, message] of faultsOf(served, isAnonymous)) {
      const known = faults.get(code);
      if (known) known.others += 1;
      else faults.set(code, { first: { code, document, field: '', message }, others: 0 });
    }
  }
  return [...faults.values()].map(({ first, others }) =>
    others === 0 ? first : { ...first, message: `${first.message}; so for ${others} more` },
  );
}

function* faultsOf({ entry, again }: Served, isAnonymous: boolean): Generator<[OtherRule, string]> {
  if (entry === undefined) {
    // What only a credential opens may well be nobody's to keep.
    if (isAnonymous) yield ['NO_STORE', 'Cache-Control says no-store'];
    return;
  }
  const headers = new Headers(entry.headers);
  const names = ['etag', 'last-modified'].filter((name) => headers.has(name));
  if (names.length === 0) yield ['NO_VALIDATOR', 'there is neither ETag nor Last-Modified'];
  else if (again === 'repeated')
    yield ['NOT_REVALIDATED', `asked with its ${names.join(' and ')}, it came again with 200`];
  if (again === 'different') yield ['UNSTABLE', 'two requests in a row got different documents'];
  if (!/max-age|no-cache/i.test(headers.get('cache-control') ?? '') && !headers.has('expires')) {
    yield ['NO_LIFETIME', 'neither Cache-Control nor Expires says how long it is fresh'];
  }
}
