// Contestants do the same work in turns, each in a process of its own, the server in another one.
import { median } from './figures.mjs';
import { run, withServer } from './run.mjs';

const PRELOAD = ['--import', new URL('contest/resolve.mjs', import.meta.url).href];

/** What each of the peers reports in each round; who begins changes. */
export async function compete(peers, rounds, work) {
  const results = Object.fromEntries(peers.map((peer) => [peer, []]));
  await withServer('contest/load.mjs', async (port) => {
    for (let round = 0; round < rounds; round++) {
      const turn = round % peers.length;
      for (const peer of [...peers.slice(turn), ...peers.slice(0, turn)]) {
        const dir = work.dir && `${work.dir}-${round}-${peer}`;
        results[peer].push(await contest(peer, port, { ...work, dir }));
      }
    }
  });
  return results;
}

/** Names are resolved in earnest where that is the work. */
export function contest(peer, port, work) {
  const preload = work.work === 'names' ? [] : PRELOAD;
  return run('contest/contest.mjs', [JSON.stringify({ peer, port, ...work })], preload);
}

/** The lines of a table: `valuesOf` gets a peer's name and gives its values, by means of the median of what it takes. */
export function entriesOf(results, valuesOf) {
  return Object.entries(results).map(([name, found]) => ({
    name,
    values: valuesOf(name, (of) => median(found.map(of))),
  }));
}

/** The median over the rounds of how many times as much `peer` needs as `than`. */
export function ratio(results, peer, than, of) {
  return median(results[peer].map((found, round) => of(found) / of(results[than][round])));
}
