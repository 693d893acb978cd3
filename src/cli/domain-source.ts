import { parseDomain } from '../index.ts';
import { openText } from './files.ts';
import type { Shell } from './shell.ts';
import { UsageError } from './usage-error.ts';

/** Characters kept of one line; a domain has at most 1,024. */
const MAX_LINE = 4096;

/** The domains of a command line, read only as fast as they are taken. */
export interface DomainSource extends AsyncIterable<string> {
  /** How many there will be: known once all are read, before that estimated from how much of the file is. */
  expected(): number;
  close(): void;
}

/**
 * The given domains, then those of the file, one a line; blank lines and lines that begin with `#` are skipped. `-` is
 * stdin. Throws a {@link UsageError} for a given domain that is malformed and for a file that cannot be read; a malformed
 * line is for the crawl to report.
 */
export async function openDomains(
  domains: readonly string[],
  file: string | undefined,
  shell: Shell,
): Promise<DomainSource> {
  if (domains.length === 0 && file === undefined) throw new UsageError('crawl: name a domain or a --file');
  for (const domain of domains) requireDomain(domain);
  const input = file === undefined ? undefined : await openText(file, `--file ${file}`, shell);
  let taken = 0;
  let complete = false;
  let charactersRead = 0;

  async function* read(): AsyncGenerator<string> {
    for (const domain of domains) {
      taken += 1;
      yield domain;
    }
    for await (const line of readLines(input?.text ?? [])) {
      charactersRead += line.length + 1;
      const entry = line.trim();
      if (entry === '' || entry.startsWith('#')) continue;
      taken += 1;
      yield entry;
    }
    complete = true;
  }

  return {
    [Symbol.asyncIterator]: read,
    expected() {
      if (complete || !input?.size || charactersRead === 0) return taken;
      return Math.max(taken, Math.round((taken * input.size) / charactersRead));
    },
    close: () => void input?.text.destroy(),
  };
}

/** Lines of a text of any length, in bounded memory: of a line past {@link MAX_LINE} only the two ends are kept. */
export async function* readLines(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = (lines.pop() ?? '').slice(0, MAX_LINE);
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function requireDomain(domain: string): void {
  try {
    parseDomain(domain);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
