/** An address as a number of 32 or 128 bits. */
export interface IpAddress {
  size: 32 | 128;
  value: bigint;
}

/** All addresses whose first `length` bits are those of `base`. */
export interface IpRange {
  base: IpAddress;
  length: number;
}

/** Reads an address, IPv6 in any spelling of RFC 4291 (section 2.2), its zone left out; `undefined` for all else. */
export function parseIp(text: string): IpAddress | undefined {
  if (!text.includes(':')) return toAddress(32, bytesOf(text));
  const [head = [], tail, ...more] = text.replace(/%.+$/, '').split('::').map(groupsOf);
  if (more.length > 0 || /\..*:/.test(text)) return undefined;
  if (tail === undefined) return toAddress(128, head);
  // Two colons stand for one group of zeros at least.
  const zeros = 8 - head.length - tail.length;
  return zeros > 0 ? toAddress(128, [...head, ...Array(zeros).fill(0), ...tail]) : undefined;
}

/** Reads a CIDR range such as `10.0.0.0/8`; `undefined` for all else. */
export function parseIpRange(text: string): IpRange | undefined {
  const [, ip = '', digits] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  const base = parseIp(ip);
  const length = Number(digits);
  return base && length <= base.size ? { base, length } : undefined;
}

export function isInRange({ size, value }: IpAddress, { base, length }: IpRange): boolean {
  return size === base.size && (value ^ base.value) >> BigInt(size - length) === 0n;
}

/** The IPv4 address that an IPv6 one carries from this byte on. */
export function carriedIpv4({ value }: IpAddress, byte: number): IpAddress {
  return { size: 32, value: BigInt.asUintN(32, value >> BigInt(96 - 8 * byte)) };
}

/** The parts of equal size that make up an address, NaN for what is none. */
function toAddress(size: 32 | 128, parts: number[]): IpAddress | undefined {
  const bits = size === 32 ? 8 : 16;
  const isWhole = parts.length * bits === size && parts.every((part) => part < 2 ** bits);
  if (!isWhole) return undefined;
  return { size, value: parts.reduce((value, part) => (value << BigInt(bits)) | BigInt(part), 0n) };
}

function bytesOf(text: string): number[] {
  return text.split('.').map((byte) => (/^(?:0|[1-9]\d{0,2})$/.test(byte) ? Number(byte) : Number.NaN));
}

/** The last one may be an IPv4 address, which is two. */
function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return /^[\da-f]{1,4}$/i.test(group) ? Number.parseInt(group, 16) : Number.NaN;
    const ipv4 = parseIp(group);
    return ipv4 ? [Number(ipv4.value >> 16n), Number(ipv4.value & 0xffffn)] : [Number.NaN];
  });
}
