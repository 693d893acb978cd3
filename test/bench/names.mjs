// Names behind a slow name server. The server must be the system's own for getaddrinfo to ask it: that takes a network
// and a file system in which /etc/resolv.conf names it, which unshare(1) makes without special rights on most Linux systems.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { entriesOf, ratio } from './compete.mjs';
import { figure } from './figures.mjs';

/** `dns.lookup` takes seconds for these. */
const MOST_NAMES = 300;
/** Runs what follows a file on a machine of its own for which that file is /etc/resolv.conf. */
const ENTER = [
  ...['unshare', '--map-root-user', '--mount', '--net', 'sh', '-c'],
  'ip link set lo up && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"',
  'sh',
];
const OWN = 'skillscout-resolver';
const SYSTEM = 'dns-lookup';

export async function measureNames({ providers, rounds, dir }) {
  const count = Math.min(providers, MOST_NAMES);
  const resolvConf = `${dir}/resolv.conf`;
  await writeFile(resolvConf, 'nameserver 127.0.0.1\n');
  const script = fileURLToPath(new URL('contest/slow-names.mjs', import.meta.url));
  const program = [
    process.execPath,
    script,
    JSON.stringify({ peers: [OWN, SYSTEM], rounds, providers: count }),
  ];
  const [command, ...args] = [...ENTER, resolvConf, ...program];
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = await text(child.stdout);
  if (output === '')
    throw new Error('names: expected a Linux on which unshare(1) may make a network and mounts');
  const results = JSON.parse(output);
  return {
    title: `${count} names, the name server answers after 50 ms`,
    contestants: {
      columns: ['names/s', 'CPU ms each'],
      entries: entriesOf(results, (_, of) => [
        count / (of(({ ms }) => ms) / 1000),
        of(({ cpuMs }) => cpuMs) / count,
      ]),
    },
    figures: [
      figure(
        'slow names: times dns.lookup',
        ratio(results, SYSTEM, OWN, ({ ms }) => ms),
      ),
    ],
  };
}
