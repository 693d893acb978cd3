// The tables in which others do the same work: each contestant in a process of its own, in turns, the server in another one.
import { compete, contest, entriesOf, ratio } from './compete.mjs';
import { figure, MB, median, tenths } from './figures.mjs';
import { withServer } from './run.mjs';
import { createRandom } from './vocabulary.mjs';

const OURS = 'skillscout';
const OTHERS = ['a2a', 'axios', 'crawlee', 'got'];
/** As the client has them by default, and the others too. */
const PLACES = 64;
const TIMEOUT_MS = 2000;

export async function measureCold({ providers, rounds }) {
  const peers = [OURS, 'skillscout-ky', 'node-http', 'plain', ...OTHERS];
  const results = await compete(peers, rounds, { work: 'cold', providers });
  const times = (peer, than) => ratio(results, than, peer, ({ ms }) => ms);
  return {
    title: `Cold crawl of ${count(providers)} providers`,
    contestants: {
      columns: ['providers/s', 'CPU ms each', 'peak MB', '× time', '× CPU', '× memory'],
      entries: entriesOf(results, (found, of) => [
        providers / (of(({ ms }) => ms) / 1000),
        of(({ cpuMs }) => cpuMs) / providers,
        of(({ maxRss }) => maxRss) / MB,
        ratio(results, found, OURS, ({ ms }) => ms),
        ratio(results, found, OURS, ({ cpuMs }) => cpuMs),
        ratio(results, found, OURS, ({ maxRss }) => maxRss),
      ]),
    },
    figures: [
      figure('cold crawl: times the plain client', times(OURS, 'plain')),
      figure('cold crawl: share of bare node:http', times(OURS, 'node-http')),
      figure('cold crawl: times the best other peer', Math.min(...OTHERS.map((peer) => times(OURS, peer)))),
      figure(
        'cold crawl: memory, share of the plain client',
        ratio(results, OURS, 'plain', ({ maxRss }) => maxRss),
      ),
      figure('cold crawl by ky: times the plain client', times('skillscout-ky', 'plain')),
      figure(
        'cold crawl: event-loop delay, p99',
        median(results[OURS].map(({ delayP99 }) => delayP99)),
        'ms',
      ),
    ],
  };
}

export async function measureWarm({ providers, rounds, dir }) {
  const peers = [OURS, 'skillscout-ky', 'plain', 'make-fetch-happen'];
  const results = await compete(peers, rounds, { work: 'warm', providers, dir: `${dir}/warm` });
  const ours = (of) => median(results[OURS].map(of));
  const most = (of) => Math.max(...results[OURS].map(of));
  return {
    title: `Warm crawl of ${count(providers)} providers`,
    contestants: {
      columns: ['cold, providers/s', 'fresh, providers/s', '304s, providers/s', '304s, CPU ms each'],
      entries: entriesOf(results, (_, of) => [
        providers / (of(({ cold }) => cold.ms) / 1000),
        providers / (of(({ fresh }) => fresh.ms) / 1000),
        providers / (of(({ revalidated }) => revalidated.ms) / 1000),
        of(({ revalidated }) => revalidated.cpuMs) / providers,
      ]),
    },
    figures: [
      figure(
        'all fresh: requests',
        most(({ fresh }) => fresh.requests),
      ),
      figure(
        'all fresh: times the cold crawl',
        ours(({ cold, fresh }) => cold.ms / fresh.ms),
      ),
      figure(
        'all 304: times the cold crawl',
        ours(({ cold, revalidated }) => cold.ms / revalidated.ms),
      ),
      figure(
        'all 304: bodies transferred',
        most(({ revalidated }) => revalidated.bodies),
      ),
      figure(
        'all 304: documents parsed',
        most(({ revalidated }) => revalidated.parsed),
      ),
    ],
  };
}

export async function measureHanging({ providers, rounds }) {
  const random = createRandom('hanging');
  const order = Array.from({ length: providers }, (_, i) => i % 10 === 0).sort(() => random() - 0.5);
  const good = order.filter((hangs) => !hangs).length;
  const work = { work: 'hanging', providers, order, timeoutMs: TIMEOUT_MS };
  const results = await compete([OURS, 'plain'], rounds, work);
  const ideal = ({ goodMs }) => idealMs(order, goodMs / good);
  const over = (found) => (found.ms / ideal(found) - 1) * 100;
  return {
    title: `Crawl of ${count(providers)} providers, a tenth of which hang`,
    contestants: {
      columns: ['s', 's, the others alone', 's, ideal', '% over'],
      entries: entriesOf(results, (_, of) => [
        of(({ ms }) => ms) / 1000,
        of(({ goodMs }) => goodMs) / 1000,
        of(ideal) / 1000,
        of(over),
      ]),
    },
    figures: [figure('a tenth hangs: time over the ideal schedule', median(results[OURS].map(over)), '%')],
  };
}

export async function measureGrowth({ providers, rounds, dir }) {
  const sizes = [providers, 20 * providers];
  const bySize = sizes.map(() => []);
  await withServer('contest/load.mjs', async (port) => {
    for (let round = 0; round < rounds; round++) {
      for (const [i, size] of sizes.entries()) {
        const own = `${dir}/growth-${round}-${size}`;
        const work = { work: 'growth', providers: size, warmUps: Math.ceil(providers / 5), dir: own };
        bySize[i].push(await contest('skillscout-sqlite', port, work));
      }
    }
  });
  const [small, large] = bySize;
  const growths = large.map(({ rss }) => tenths(rss)).map(({ second, last }) => (last - second) / MB);
  const each = (i, name) => median(bySize[i].map((found) => found[name])) / sizes[i];
  return {
    title: `Growth from ${sizes.map(count).join(' to ')} providers, SQLite`,
    figures: [
      ...sizes.flatMap((size, i) => [
        figure(`${count(size)} providers: time each`, each(i, 'ms'), 'ms'),
        figure(`${count(size)} providers: processor time each`, each(i, 'cpuMs'), 'ms'),
        figure(
          `${count(size)} providers: peak memory`,
          median(bySize[i].map(({ maxRss }) => maxRss)) / MB,
          'MB',
        ),
      ]),
      figure(
        'growth: time for each provider, large to small',
        median(large.map(({ ms }, i) => ms / 20 / small[i].ms)),
      ),
      figure('growth: resident memory after a tenth', median(growths), 'MB'),
    ],
  };
}

export async function measureConcurrency({ providers, rounds }) {
  const found = await withServer('contest/load.mjs', async (port) => {
    const byPlaces = Object.fromEntries([1, 8, PLACES, 256].map((places) => [places, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [places, results] of Object.entries(byPlaces)) {
        const concurrency = { global: Number(places), providers: Number(places) };
        results.push(await contest(OURS, port, { work: 'cold', providers, concurrency }));
      }
    }
    return byPlaces;
  });
  return {
    title: `Cold crawl of ${count(providers)} providers, by concurrency`,
    contestants: {
      columns: ['providers/s', 'CPU ms each', 'peak MB', 'event-loop delay, p99'],
      entries: entriesOf(found, (_, of) => [
        providers / (of(({ ms }) => ms) / 1000),
        of(({ cpuMs }) => cpuMs) / providers,
        of(({ maxRss }) => maxRss) / MB,
        of(({ delayP99 }) => delayP99),
      ]),
    },
    figures: [],
  };
}

/** Where the time of a cold crawl goes, by the file or the module of Node whose code was at work. */
export async function measureProfile({ providers }) {
  const shares = await withServer('contest/load.mjs', (port) =>
    contest(OURS, port, { work: 'profile', providers }),
  );
  return {
    title: `Profile of a cold crawl of ${count(providers)} providers`,
    figures: Object.entries(shares).map(([name, share]) => figure(name, share * 100, '%')),
  };
}

/**
 * How long a crawl takes at best, in milliseconds, in the given order: each good provider has `workMs` of work, which those in
 * progress share, and each hanging one holds its place for the time limit.
 */
function idealMs(order, workMs) {
  let now = 0;
  let next = 0;
  let good = [];
  let ends = [];
  for (;;) {
    while (next < order.length && good.length + ends.length < PLACES) {
      if (order[next++]) ends.push(now + TIMEOUT_MS);
      else good.push(workMs);
    }
    if (good.length + ends.length === 0) return now;
    const untilGood = good.length > 0 ? good[0] * good.length : Number.POSITIVE_INFINITY;
    const untilEnd = ends.length > 0 ? ends[0] - now : Number.POSITIVE_INFINITY;
    const step = Math.min(untilGood, untilEnd);
    now += step;
    good = good.map((left) => left - step / good.length).filter((left) => left > 1e-9);
    ends = ends.filter((end) => end - now > 1e-9);
  }
}

const count = (size) => size.toLocaleString('en');
