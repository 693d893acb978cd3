/** What was asked for cannot be done as asked: one line for stderr, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The flag behind each option of the library that a flag sets. */
const FLAGS: Record<string, string> = {
  'http.timeoutMs': '--timeout',
  'concurrency.global': '--concurrency',
  'concurrency.providers': '--concurrency',
  'concurrency.perOrigin': '--per-origin',
  'unsafe.allowPrivateAddresses': '--allow-private',
  credentials: '--credential',
  domain: '--domain',
  version: '--skill-version',
  protocolVersion: '--protocol',
  limit: '--limit',
  cursor: '--cursor',
};

/** For commands that take domains as arguments. */
export const DOMAIN_ARGUMENT = { domain: 'DOMAIN' } as const;

/**
 * Runs what takes options from flags; a TypeError about one of them becomes a {@link UsageError} that names the flag, or what
 * `others` calls it.
 */
export async function blamingFlags<T>(
  work: () => T | Promise<T>,
  others: Readonly<Record<string, string>> = {},
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [, option = '', rest] = /^([\w.]+): (.*)$/s.exec(error.message) ?? [];
    throw new UsageError(
      rest === undefined ? error.message : `${others[option] ?? FLAGS[option] ?? option}: ${rest}`,
    );
  }
}

/** Why a file could not be used, in the words of people. */
export function fileTrouble(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'ENOTDIR':
      return 'a part of this path is no folder';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EISDIR':
      return 'this is a folder';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
