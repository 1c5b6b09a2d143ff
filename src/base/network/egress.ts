import { isIP } from 'node:net'
import { lookup as systemLookup } from 'node:dns/promises'
import { TrawlError } from '../errors.js'
import { classifyAddress } from './ip-address.js'

/** Resolves all addresses of a host name. Rejects as `dns.lookup` does. */
export type AddressLookup = (hostname: string) => Promise<readonly string[]>

/** Settings of the egress policy, which limits the addresses that may be connected to. */
export interface EgressOptions {
  /** Disables the policy. */
  readonly allowPrivateNetworks: boolean
  /** Allows an address that the policy refuses, such as that of one known host. @default never */
  readonly allowAddress?: (address: string, hostname: string) => boolean
  /** Resolver of host names. @default the system's */
  readonly lookup?: AddressLookup
}

/**
 * Creates the resolver that all connections use. It returns the addresses of a host if all of them are allowed.
 *
 * A name is refused when *any* of its addresses is refused: a mix of public and private addresses is a sign of DNS
 * rebinding, and the result must not depend on the resolver's order. The caller connects to one of the returned
 * addresses and does not resolve the name again.
 *
 * @throws TrawlError `SCRAPE_ADDRESS_REFUSED`, `SCRAPE_DNS_RESOLUTION_ERROR`; errors of the lookup
 */
export function createResolver(options: EgressOptions): AddressLookup {
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
        `${what} not a public address (${kind}); \`allowPrivateNetworks: true\` of the engine lets it be reached`,
      )
    }
    return addresses
  }
}

/**
 * Explains why a host is refused, as far as that is known without resolving it: an address that is not public, or a
 * name that always denotes this machine. Undefined when the host is not refused. The text does not contain the host.
 *
 * @see RFC 6761 section 6.3
 */
export function explainRefusedHost(hostname: string, { allowPrivateNetworks }: EgressOptions): string | undefined {
  if (allowPrivateNetworks) return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  const isLocalName = /(?:^|\.)localhost\.?$/i.test(host)
  const kind = isLocalName ? 'loopback' : isIP(host) === 0 ? undefined : classifyAddress(host)
  return kind && `not a public address (${kind}); \`allowPrivateNetworks: true\` of the engine lets it be reached`
}

const lookupAll: AddressLookup = async (hostname) => {
  const found = await systemLookup(hostname, { all: true })
  return found.map(({ address }) => address)
}
