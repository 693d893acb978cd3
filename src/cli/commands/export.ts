import { createClient } from '../../index.ts';
import { askDatabase } from '../database.ts';
import { replaceFile } from '../files.ts';
import type { DatabaseFlag } from '../options.ts';
import type { Shell } from '../shell.ts';
import { escapedJson } from '../text.ts';

interface ExportFlags extends DatabaseFlag {
  includePrivate?: boolean;
}

/** Characters that are written at once. */
const PIECE = 2 ** 16;

/** Writes what is stored as a snapshot, in bounded memory; exit code 1 where there is no database. */
export async function exportSkills(file: string, flags: ExportFlags, shell: Shell): Promise<number> {
  const { includePrivate = false } = flags;
  return askDatabase(flags, shell, async (_, store) => {
    if (!store) return 1;
    const client = createClient({ store });
    try {
      const pieces = inPieces(client.export({ includePrivate, signal: shell.signal }));
      if (file === '-') for await (const piece of pieces) await shell.write(piece);
      else await replaceFile(file, `export ${file}`, pieces, shell);
      return 0;
    } finally {
      await client.close();
    }
  });
}

async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let piece = '';
  for await (const line of lines) {
    piece += `${escapedJson(line)}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
