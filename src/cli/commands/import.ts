import { createClient, type ImportReport, isSkillscoutError } from '../../index.ts';
import { openDatabase } from '../database.ts';
import { openText } from '../files.ts';
import type { DatabaseFlag } from '../options.ts';
import { renderImport } from '../render-import.ts';
import type { Shell } from '../shell.ts';

interface ImportFlags extends DatabaseFlag {
  json?: boolean;
}

/** Adds what a snapshot holds to the database, in bounded memory; exit code 1 where a part of it was not taken. */
export async function importSkills(file: string, flags: ImportFlags, shell: Shell): Promise<number> {
  const { text } = await openText(file, `import ${file}`, shell);
  try {
    const { store, path } = await openDatabase(flags);
    const client = createClient({ store });
    try {
      const report = await client.import(text, { signal: shell.signal });
      await print(report, flags, shell);
      shell.note(
        `stored in ${path}: skillscout refresh${flags.db === undefined ? '' : ' with the same --db'} asks the publishers`,
      );
      return report.rejected > 0 ? 1 : 0;
    } catch (error) {
      // What was read until then is kept.
      if (isSkillscoutError(error) && error.code === 'SNAPSHOT_INVALID') {
        await print(error.details as unknown as ImportReport, flags, shell);
      }
      throw error;
    } finally {
      await client.close();
      await store.close();
    }
  } finally {
    text.destroy();
  }
}

async function print(report: ImportReport, { json }: ImportFlags, shell: Shell): Promise<void> {
  if (json) return shell.printJson(report, 2);
  await shell.print(renderImport(report, shell.colors));
}
