import { BlockList, isIP, isIPv6 } from 'node:net'
import { lookup as systemLookup } from 'node:dns/promises'
import { TrawlError } from '../../errors.js'

/** All addresses of a host name. Rejects as `dns.lookup` does when there is none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

/** Which addresses may be connected to. */
export interface EgressOptions {
  /** Lifts the policy: any address may be connected to. */
  readonly allowPrivateNetworks: boolean
  /** Says yes to an address that the policy refuses, e.g. for one known host. @default never */
  readonly allowAddress?: (address: string, hostname: string) => boolean
  /** How names are resolved. @default the system's resolver */
  readonly lookup?: Lookup
}

/**
 * What is not on the public internet, in the order in which it is looked up.
 *
 * @see IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890)
 */
const specialRanges: readonly (readonly [kind: string, ...subnets: string[]])[] = [
  // 168.63.129.16 is a public address by number, and the platform's own channel inside Azure.
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
  // Tunnels carry an IPv4 address inside that nobody on the way checks, and no public site has needed one for years.
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
 * Why an IP address is not on the public internet, e.g. `loopback`; undefined for a public one.
 *
 * An IPv4 address written as IPv6 (`::ffff:0:0/96`, and NAT64's `64:ff9b::/96`) is judged as the IPv4 address that it
 * is. Of IPv6, only global unicast (`2000::/3`) is public: what nobody has been given yet is refused.
 */
export function classifyAddress(address: string): string | undefined {
  if (!isIPv6(address)) return findKind(address, 'ipv4')
  const groups = toGroups(address)
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

/** An IPv6 address without the zone that it is of: `fe80::1%eth0`. */
export const withoutZone = (address: string): string => address.split('%', 1)[0] ?? address

/** The eight numbers of an IPv6 address; the URL parser knows every spelling, the zone aside. */
function toGroups(address: string): number[] {
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

/**
 * Makes the resolver that every connection goes through: the addresses of a host, all of them allowed.
 *
 * A name is refused when *any* of its addresses is: an honest site does not publish a private one, a mix is how a name
 * is rebound, and the answer must not hang on the order in which a resolver gives them. The caller connects to one of
 * the addresses given and asks no resolver again.
 *
 * @throws TrawlError `SCRAPE_ADDRESS_REFUSED`, `SCRAPE_DNS_RESOLUTION_ERROR`; whatever the lookup rejects with
 */
export function createResolver(options: EgressOptions): Lookup {
  const { allowPrivateNetworks, allowAddress = () => false, lookup = lookupAll } = options
  return async (hostname) => {
    const isLiteral = isIP(hostname) !== 0
    const addresses = isLiteral ? [hostname] : await lookup(hostname)
    if (addresses.length === 0) {
      throw new TrawlError('SCRAPE_DNS_RESOLUTION_ERROR', `\`${hostname}\` has no address`)
    }
    if (allowPrivateNetworks) return addresses
    for (const address of addresses) {
      const kind = classifyAddress(address)
      if (kind === undefined || allowAddress(address, hostname)) continue
      const what = isLiteral ? `\`${hostname}\` is` : `\`${hostname}\` resolves to ${address},`
      throw new TrawlError(
        'SCRAPE_ADDRESS_REFUSED',
        `${what} not a public address (${kind}); \`allowPrivateNetworks: true\` lets it be reached`,
      )
    }
    return addresses
  }
}

/**
 * Why a host may not be connected to, as far as that is known without asking a resolver: an address that is not public, or a
 * name that always leads to this machine. The host is not named.
 *
 * @see RFC 6761 section 6.3
 */
export function findHostFault(hostname: string, { allowPrivateNetworks }: EgressOptions): string | undefined {
  if (allowPrivateNetworks) return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  const isLocalName = /(?:^|\.)localhost\.?$/i.test(host)
  const kind = isLocalName ? 'loopback' : isIP(host) === 0 ? undefined : classifyAddress(host)
  return kind && `not a public address (${kind}); \`allowPrivateNetworks: true\` of the engine lets it be reached`
}

const lookupAll: Lookup = async (hostname) => {
  const found = await systemLookup(hostname, { all: true })
  return found.map(({ address }) => address)
}
