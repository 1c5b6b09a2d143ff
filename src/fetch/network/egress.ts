import { isIP } from 'node:net'
import { lookup as systemLookup } from 'node:dns/promises'
import { TrawlError } from '../../errors.js'
import { classifyAddress } from './ip-address.js'

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
export function explainRefusedHost(hostname: string, { allowPrivateNetworks }: EgressOptions): string | undefined {
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
