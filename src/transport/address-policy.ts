import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

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
const TRANSPARENT = ['::ffff:0:0/96', '64:ff9b::/96'].map((range) => ipaddr.parseCIDR(range));

const metadata = METADATA.map((ip) => ipaddr.parse(ip).toNormalizedString());
const reserved = RESERVED.map(([range, what]) => ({ range: ipaddr.parseCIDR(range), what }));
const embedded = EMBEDDED.map(([range, at]) => ({ range: ipaddr.parseCIDR(range), at }));
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * Public addresses pass; private and reserved ones only where `allowed` is true or holds a CIDR range with them. An IPv4
 * address inside an IPv6 one is decoded and judged as well. Metadata services never pass.
 * Throws TypeError naming the entry that is no CIDR range.
 */
export function createAddressPolicy(allowed: boolean | readonly string[]): AddressPolicy {
  const ranges = typeof allowed === 'boolean' ? [] : allowed.map(parseRange);
  const isAllowed = (address: Address) =>
    allowed === true || ranges.some((range) => contains(range, address));

  return (ip) => {
    if (!ipaddr.isValid(ip)) return 'not an IP address';
    const address = parse(ip);
    const inner = embeddedIpv4(address);
    if (isMetadata(address) || (inner && isMetadata(inner))) return 'a metadata service';
    if (isAllowed(address) || (inner && isAllowed(inner))) return undefined;
    if (inner && TRANSPARENT.some((range) => contains(range, address))) return reservedFor(inner);
    return reservedFor(address) ?? (inner && reservedFor(inner));
  };
}

/** Without its IPv6 zone. The library would take `::a.b.c.d` for `::ffff:a.b.c.d`, another address. */
function parse(ip: string): Address {
  return ipaddr.fromByteArray(ipaddr.parse(ip.replace(/^::(?=\d+\.)/, '0::')).toByteArray());
}

function parseRange(entry: string): Range {
  try {
    return ipaddr.parseCIDR(entry);
  } catch {
    throw new TypeError(
      `unsafe.allowPrivateAddresses: ${JSON.stringify(entry)} is not a CIDR range such as "10.0.0.0/8"`,
    );
  }
}

function contains([base, bits]: Range, address: Address): boolean {
  return base.kind() === address.kind() && address.match(base, bits);
}

function isMetadata(address: Address): boolean {
  return metadata.includes(address.toNormalizedString());
}

function embeddedIpv4(address: Address): Address | undefined {
  const found = embedded.find(({ range }) => contains(range, address));
  return found && ipaddr.fromByteArray(address.toByteArray().slice(found.at, found.at + 4));
}

function reservedFor(address: Address): string | undefined {
  const found = reserved.find(({ range }) => contains(range, address));
  if (found) return found.what;
  return address.kind() === 'ipv6' && !contains(globalUnicast, address)
    ? 'outside global unicast'
    : undefined;
}
