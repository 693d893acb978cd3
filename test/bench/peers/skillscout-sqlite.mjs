import { mkdir } from 'node:fs/promises';
import { openSqliteStore } from '../../../dist/sqlite.js';
import { open as openDefault } from './skillscout.mjs';

export async function open({ dir, ...options }) {
  await mkdir(dir, { recursive: true });
  const store = await openSqliteStore({ path: `${dir}/skills.db` });
  const peer = openDefault({ ...options, store });
  return {
    ...peer,
    close: async () => {
      await peer.close();
      await store.close();
    },
  };
}
