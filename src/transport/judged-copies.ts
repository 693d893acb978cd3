import { LRUCache } from 'lru-cache';
import type { Check, HttpResponse } from './http-get.ts';

/** Of all values together, as their checks estimate them, with the texts that they are of. */
const MAX_BYTES = 64 * 2 ** 20;

interface Judged extends Pick<HttpResponse, 'url' | 'text' | 'contentType'> {
  check: Check<unknown>;
  mitigated: string | undefined;
  value: unknown;
  bytes: number;
}

/**
 * What checks made of the answers that are kept, by key: what says the same to the same check is not judged again. At most
 * 64 MiB; only of verdicts that tell how much their value holds.
 */
export class JudgedCopies {
  readonly #byKey = new LRUCache<string, Judged>({
    // Without `max`, for which it would set aside memory at once.
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes, text }, key) => bytes + text.length + key.length,
  });

  /** The verdict of `check`, which is asked only where it is not known. */
  judge<T>(key: string | undefined, response: HttpResponse, check: Check<T>): ReturnType<Check<T>> {
    const known = key === undefined ? undefined : this.#byKey.get(key);
    if (known?.check === check && isSame(known, response)) return { ok: true, value: known.value as T };
    const verdict = check(response);
    if (key !== undefined && verdict.ok && verdict.bytes !== undefined && response.status === 200) {
      const { url, text, contentType } = response;
      const mitigated = response.header('cf-mitigated');
      const { value, bytes } = verdict;
      this.#byKey.set(key, { url, text, contentType, mitigated, check, value, bytes });
    }
    return verdict;
  }
}

/** In all that checks look at. */
function isSame(known: Judged, { url, status, text, contentType, header }: HttpResponse): boolean {
  return (
    status === 200 &&
    url === known.url &&
    text === known.text &&
    contentType === known.contentType &&
    header('cf-mitigated') === known.mitigated
  );
}
