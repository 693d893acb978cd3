import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const CODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;

export interface Question {
  name: string;
  type: 'A' | 'AAAA';
}

export interface DnsRecord {
  /** Default the name that was asked for. */
  name?: string;
  type: keyof typeof TYPES;
  /** In seconds. */
  ttl: number;
  /** An address (IPv6 with all eight groups), or a name. */
  data: string;
}

export interface DnsReply {
  code?: keyof typeof CODES;
  records?: readonly DnsRecord[];
  /** Over UDP: "ask again over TCP". */
  isTruncated?: boolean;
}

/** What a server says to a question; `undefined` is no answer at all. */
export type DnsHandler = (
  question: Question,
  asked: number,
) => DnsReply | undefined | Promise<DnsReply | undefined>;

/** A name server on loopback, over UDP and TCP, for one test (RFC 1035). `asked` lists the questions. */
export async function serveNames(handle: DnsHandler) {
  const asked: string[] = [];
  const answer = async (query: Buffer, overTcp: boolean) => {
    const { question, end } = readQuestion(query);
    asked.push(`${question.type} ${question.name}`);
    const reply = await handle(question, asked.length);
    return reply && encode(query, end, question, reply, overTcp);
  };

  const tcp = createServer((socket) => {
    // Queries are short: each arrives in one piece, behind its length.
    socket.on('data', async (data) => {
      const reply = await answer(data.subarray(2), true);
      if (reply) socket.write(Buffer.concat([uint16(reply.length), reply]));
    });
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const address = tcp.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  const udp = createSocket('udp4');
  let isOpen = true;
  udp.on('message', async (query, from) => {
    const reply = await answer(query, false);
    if (reply && isOpen) udp.send(reply, from.port, from.address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');

  onTestFinished(() => {
    isOpen = false;
    udp.close();
    tcp.close();
  });
  return { server: `127.0.0.1:${port}`, asked };
}

function readQuestion(query: Buffer): { question: Question; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1) === TYPES.AAAA ? 'AAAA' : 'A';
  return { question: { name: labels.join('.'), type }, end: at + 5 };
}

function encode(query: Buffer, end: number, question: Question, reply: DnsReply, overTcp: boolean): Buffer {
  const { code, records = [], isTruncated = false } = reply;
  const flags = 0x8180 | (isTruncated && !overTcp ? 0x0200 : 0) | (code ? CODES[code] : 0);
  const sent = flags & 0x0200 ? [] : records;
  const header = [query.subarray(0, 2), ...[flags, 1, sent.length, 0, 0].map(uint16)];
  const answers = sent.flatMap(({ name, type, ttl, data }) => {
    const bytes = encodeData(type, data);
    const owner = name === undefined || name === question.name ? uint16(0xc00c) : encodeName(name);
    return [owner, ...[TYPES[type], 1, ttl >>> 16, ttl & 0xffff, bytes.length].map(uint16), bytes];
  });
  return Buffer.concat([...header, query.subarray(12, end), ...answers]);
}

function encodeData(type: DnsRecord['type'], data: string): Buffer {
  if (type === 'A') return Buffer.from(data.split('.').map(Number));
  if (type === 'AAAA')
    return Buffer.concat(data.split(':').map((group) => uint16(Number.parseInt(group, 16))));
  return encodeName(data);
}

function encodeName(name: string): Buffer {
  return Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1')),
    Buffer.of(0),
  ]);
}

function uint16(value: number): Buffer {
  return Buffer.of(value >>> 8, value & 0xff);
}
