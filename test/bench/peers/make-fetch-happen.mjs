import { mkdir } from 'node:fs/promises';
import makeFetchHappen from 'make-fetch-happen';
import { walker } from './walk.mjs';

/** Its cache is on disk. */
export async function open({ dir }) {
  await mkdir(dir, { recursive: true });
  const fetch = makeFetchHappen.defaults({ cachePath: dir });
  return walker(async (url, { refresh }) =>
    (await fetch(url, { cache: refresh ? 'no-cache' : 'default' })).json(),
  );
}
