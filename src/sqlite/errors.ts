import { type ErrorCode, SkillscoutError } from '../errors.ts';

/** SQLite's primary result codes (sqlite.org/rescode.html). */
export const SQLITE = {
  ERROR: 1,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
} as const;

/** A file that ends too early, among the extended codes of IOERR. */
const SHORT_READ = 522;

const BY_SQLITE_CODE: Record<number, ErrorCode> = {
  // The statements are fixed: what SQLite cannot run does not find the tables that the file's version promises.
  [SQLITE.ERROR]: 'STORE_CORRUPT',
  [SQLITE.BUSY]: 'STORE_BUSY',
  [SQLITE.LOCKED]: 'STORE_BUSY',
  [SQLITE.READONLY]: 'STORE_READ_ONLY',
  [SQLITE.IOERR]: 'STORE_FAILED',
  [SQLITE.CORRUPT]: 'STORE_CORRUPT',
  [SQLITE.FULL]: 'STORE_FULL',
  [SQLITE.CANTOPEN]: 'STORE_READ_ONLY',
  [SQLITE.NOTADB]: 'STORE_CORRUPT',
};

const BY_SYSTEM_CODE: Record<string, ErrorCode> = {
  ENOSPC: 'STORE_FULL',
  EDQUOT: 'STORE_FULL',
  ENOENT: 'STORE_READ_ONLY',
  ENOTDIR: 'STORE_READ_ONLY',
  EACCES: 'STORE_READ_ONLY',
  EPERM: 'STORE_READ_ONLY',
  EROFS: 'STORE_READ_ONLY',
};

/** SQLite's primary result code of an error, where it has one. */
export function sqliteCode(error: unknown): number | undefined {
  const { code, errcode, message } = error as { code?: unknown; errcode?: unknown; message?: unknown };
  if (typeof errcode === 'number') return errcode === SHORT_READ ? SQLITE.CORRUPT : errcode & 0xff;
  if (code !== 'ERR_SQLITE_ERROR') return undefined;
  // The optional driver leaves the number out where reading fails between two rows.
  return message === 'database is locked' ? SQLITE.BUSY : SQLITE.CORRUPT;
}

/** The `STORE_` error that an error of SQLite, of the file system or of reading a record amounts to; others as they are. */
export function storeError(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: string };
  const storeCode =
    error instanceof SyntaxError
      ? 'STORE_CORRUPT'
      : (BY_SQLITE_CODE[sqliteCode(error) ?? 0] ?? BY_SYSTEM_CODE[code ?? '']);
  return storeCode ? new SkillscoutError(storeCode, `${file}: ${error.message}`, { cause: error }) : error;
}
