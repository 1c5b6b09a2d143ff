import { BlockList, isIPv6 } from 'node:net'

/**
 * Address ranges that are not on the public internet, in the order in which they are tested.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry/ and
 * https://www.iana.org/assignments/iana-ipv6-special-registry/
 */
const specialRanges: readonly (readonly [kind: string, ...subnets: string[]])[] = [
  // 168.63.129.16 is in a public range, but in Azure it is the platform's channel to virtual machines.
  ['cloud metadata', '169.254.169.254/32', '100.100.100.200/32', '192.0.0.192/32', '168.63.129.16/32'],
  ['cloud metadata', 'fd00:ec2::254/128', 'fd20:ce::254/128'],
  ['unspecified', '0.0.0.0/8', '::/128'],
  ['loopback', '127.0.0.0/8', '::1/128'],
  ['private', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10', '64:ff9b:1::/48'],
  ['link-local', '169.254.0.0/16', 'fe80::/10'],
  ['carrier-grade NAT', '100.64.0.0/10'],
  ['documentation', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  ['benchmarking', '198.18.0.0/15', '2001:2::/48'],
  ['multicast', '224.0.0.0/4', 'ff00::/8'],
  ['broadcast', '255.255.255.255/32'],
  // Tunnel addresses contain an IPv4 address that would bypass the check, and no public site needs them.
  ['tunnel', '2001::/32', '2002::/16', '192.88.99.0/24'],
  ['reserved', '192.0.0.0/24', '240.0.0.0/4', '2001::/23'],
]

const lists = specialRanges.map(([kind, ...subnets]) => {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/')
    list.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4')
  }
  return { kind, list }
})

/**
 * The kind of an IP address that is not on the public internet, such as `loopback`; undefined for a public one.
 *
 * An IPv4 address in IPv6 notation (`::ffff:0:0/96`, and NAT64's `64:ff9b::/96`) is classified as the IPv4 address. Of
 * IPv6, only global unicast (`2000::/3`) is public: unassigned ranges are refused.
 */
export function classifyAddress(address: string): string | undefined {
  if (!isIPv6(address)) return findKind(address, 'ipv4')
  const groups = parseIPv6(address)
  const [high = 0, low = 0] = groups.slice(6)
  const prefix = groups.slice(0, 6).map((group) => group.toString(16))
  if (prefix.join(':') === '0:0:0:0:0:ffff' || prefix.join(':') === '64:ff9b:0:0:0:0') {
    return findKind([high >> 8, high & 255, low >> 8, low & 255].join('.'), 'ipv4')
  }
  const isGlobalUnicast = ((groups[0] ?? 0) & 0xe000) === 0x2000
  return findKind(withoutZone(address), 'ipv6') ?? (isGlobalUnicast ? undefined : 'reserved')
}

const findKind = (address: string, family: 'ipv4' | 'ipv6'): string | undefined =>
  lists.find(({ list }) => list.check(address, family))?.kind

/** Removes the zone of an IPv6 address: `fe80::1%eth0`. */
const withoutZone = (address: string): string => address.split('%', 1)[0] ?? address

/** Parses an IPv6 address into its eight groups. The URL parser accepts every notation, except for the zone. */
export function parseIPv6(address: string): number[] {
  const { hostname } = new URL(`http://[${withoutZone(address)}]/`)
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::')
  const read = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => parseInt(group, 16))
  const [left, right] = [read(head), read(tail)]
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

/** Removes the brackets of an IPv6 address in a URL; other hosts stay as they are. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')
