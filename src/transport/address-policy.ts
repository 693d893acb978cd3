import { carriedIpv4, type IpAddress, type IpRange, isInRange, parseIp, parseIpRange } from './ip-address.ts';

/** Judges an IP address; returns why it is refused, or undefined. */
export type AddressPolicy = (ip: string) => string | undefined;

/** Services that hand out credentials to whoever asks from inside: never opened, whatever is allowed. */
const METADATA = ['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254'];

/** Not on the public Internet (IANA special-purpose address registries, RFC 6890). */
const RESERVED: readonly (readonly [string, string])[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared by carriers'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'for documentation'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'for benchmarks'],
  ['198.51.100.0/24', 'for documentation'],
  ['203.0.113.0/24', 'for documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'for documentation'],
  ['3fff::/20', 'for documentation'],
];

/** Prefixes that carry an IPv4 address, and the byte where it starts: what is judged is where the packets end up. */
const EMBEDDED: readonly (readonly [string, number])[] = [
  ['::ffff:0:0/96', 12],
  ['::ffff:0:0:0/96', 12],
  ['64:ff9b::/96', 12],
  ['64:ff9b:1::/48', 12],
  ['::/96', 12],
  ['2002::/16', 2],
];

/** Prefixes that stand for the embedded IPv4 address itself: mapped (RFC 4291) and NAT64 (RFC 6052). */
const TRANSPARENT = ['::ffff:0:0/96', '64:ff9b::/96'].map(rangeOf);

const metadata = METADATA.map((ip) => rangeOf(`${ip}/${ip.includes(':') ? 128 : 32}`));
const reserved = RESERVED.map(([range, what]) => ({ range: rangeOf(range), what }));
const embedded = EMBEDDED.map(([range, at]) => ({ range: rangeOf(range), at }));
const globalUnicast = rangeOf('2000::/3');

/**
 * Public addresses pass; private and reserved ones only where `allowed` is true or holds a CIDR range with them. An IPv4
 * address inside an IPv6 one is decoded and judged as well. Metadata services never pass.
 * Throws TypeError naming the entry that is no CIDR range.
 */
export function createAddressPolicy(allowed: boolean | readonly string[]): AddressPolicy {
  const ranges = typeof allowed === 'boolean' ? [] : allowed.map(rangeOf);
  const isAllowed = (address: IpAddress) => allowed === true || isInOneOf(address, ranges);

  return (ip) => {
    const address = parseIp(ip);
    if (address === undefined) return 'not an IP address';
    const inner = embeddedIpv4(address);
    if (isInOneOf(address, metadata) || (inner && isInOneOf(inner, metadata))) return 'a metadata service';
    if (isAllowed(address) || (inner && isAllowed(inner))) return undefined;
    if (inner && isInOneOf(address, TRANSPARENT)) return reservedFor(inner);
    return reservedFor(address) ?? (inner && reservedFor(inner));
  };
}

function rangeOf(entry: string): IpRange {
  const range = typeof entry === 'string' ? parseIpRange(entry) : undefined;
  if (range) return range;
  throw new TypeError(
    `unsafe.allowPrivateAddresses: ${JSON.stringify(entry)} is not a CIDR range such as "10.0.0.0/8"`,
  );
}

function isInOneOf(address: IpAddress, ranges: readonly IpRange[]): boolean {
  return ranges.some((range) => isInRange(address, range));
}

function embeddedIpv4(address: IpAddress): IpAddress | undefined {
  const found = embedded.find(({ range }) => isInRange(address, range));
  return found && carriedIpv4(address, found.at);
}

function reservedFor(address: IpAddress): string | undefined {
  const found = reserved.find(({ range }) => isInRange(address, range));
  if (found) return found.what;
  return address.size === 128 && !isInRange(address, globalUnicast) ? 'outside global unicast' : undefined;
}
