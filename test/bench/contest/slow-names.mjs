// Lets contestants compete on a machine whose only name server answers every question after 50 ms: one IPv4 address, no IPv6.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { compete } from '../compete.mjs';

const DELAY_MS = 50;
const HEADER = 12;
const IPV4 = 1;
/** A pointer to the name asked for, type A, class IN, for a minute, 4 bytes: 127.0.0.1. */
const ADDRESS = Buffer.from('c00c000100010000003c00047f000001', 'hex');

const { peers, rounds, providers } = JSON.parse(process.argv[2]);
const server = createSocket('udp4', (query, { address, port }) => {
  setTimeout(() => server.send(answerTo(query), port, address), DELAY_MS);
});
server.bind(53, '127.0.0.1');
await once(server, 'listening');
const results = await compete(peers, rounds, { work: 'names', providers });
server.close();
process.stdout.write(JSON.stringify(results));

/** RFC 1035, section 4.1. Without what the query may say after its question. */
function answerTo(query) {
  const end = query.indexOf(0, HEADER) + 5;
  const answers = query.readUInt16BE(end - 4) === IPV4 ? [ADDRESS] : [];
  const header = Buffer.from(query.subarray(0, HEADER));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(answers.length, 6);
  header.fill(0, 8);
  return Buffer.concat([header, query.subarray(HEADER, end), ...answers]);
}
