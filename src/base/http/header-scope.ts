import { isSameHost, parseUrl, isUrl } from '../url.js'

/** The hosts that receive the caller's headers. */
export interface HeaderScope {
  /** The URL named in the request: its host, with or without `www.`, is in the scope. */
  readonly namedUrl: string
  /** Further hosts: `example.com`, `example.com:8443`, `*.example.com`; `http://example.com` over plain http too. @default none */
  readonly hosts?: readonly string[]
}

/** The scope of a page's headers: a crawl names one URL for all its pages, otherwise each page names its own. */
export const headerScopeOf = (planned: Partial<HeaderScope> | undefined, pageUrl: URL): HeaderScope => ({
  namedUrl: pageUrl.href,
  ...planned,
})

/**
 * Tests whether a request to `url` may carry the caller's headers.
 *
 * Headers of a request that names an https URL are not sent over http, unless the caller names the host with `http://`: a
 * redirect to http would expose them on the network.
 */
export function isInHeaderScope(url: URL, { namedUrl, hosts = [] }: HeaderScope): boolean {
  const named = new URL(namedUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false
  if (url.protocol === 'http:' && named.protocol === 'https:') return isOnNamedHost(url, hosts)
  return isSameHost(url, named) || matchesAny(url, hosts)
}

/**
 * Tests for a URL on one of `hosts`, which are spelt like those of a {@link HeaderScope}. Over plain http only hosts that are
 * named with `http://` count.
 */
export const isOnNamedHost = (url: URL, hosts: readonly string[]): boolean =>
  matchesAny(url, url.protocol === 'https:' ? hosts : hosts.filter((host) => host.startsWith(PLAIN_HTTP)))

const matchesAny = (url: URL, hosts: readonly string[]): boolean =>
  hosts.some((host) => matchesHost(url, withoutScheme(host)))

/** Begins an item of `headersFor` that receives the headers over plain http as well. */
const PLAIN_HTTP = 'http://'

const withoutScheme = (host: string): string => (host.startsWith(PLAIN_HTTP) ? host.slice(PLAIN_HTTP.length) : host)

function matchesHost(url: URL, host: string): boolean {
  const isWildcard = host.startsWith('*.')
  const address = `${url.protocol}//${isWildcard ? host.slice(2) : host}`
  const allowed = parseUrl(address)
  if (!allowed) return false
  if (!isWildcard) return isSameHost(url, allowed)
  return url.port === allowed.port && url.hostname.endsWith(`.${allowed.hostname}`)
}

/**
 * Lists patterns for the `Fetch` domain of the DevTools protocol that match all URLs in the scope, and possibly more.
 */
export function listScopePatterns({ namedUrl, hosts = [] }: HeaderScope): string[] {
  const names = [new URL(namedUrl).host, ...hosts.map(withoutScheme)].flatMap((host) => {
    const bare = host.toLowerCase().replace(/^www\./, '')
    return bare.startsWith('*.') ? [bare] : [bare, `www.${bare}`]
  })
  return [...new Set(names)].flatMap((name) => {
    const [, withoutPort = name, port] = /^(.*?):(\d+)$/.exec(name) ?? []
    // URLs omit the default port of their scheme.
    const isDefault = port === '80' || port === '443'
    return ['http', 'https'].flatMap((scheme) => [
      `${scheme}://${name}/*`,
      ...(isDefault ? [`${scheme}://${withoutPort}/*`] : []),
    ])
  })
}

/** Lists one URL for each host in the scope that is not a wildcard, for cookies. */
export function listScopeUrls({ namedUrl, hosts = [] }: HeaderScope): URL[] {
  const named = new URL(namedUrl)
  const others = hosts
    .filter((host) => !withoutScheme(host).startsWith('*.'))
    .flatMap((host) => [`${named.protocol}//${withoutScheme(host)}`, ...(host.startsWith(PLAIN_HTTP) ? [host] : [])])
  return [named, ...others.flatMap((href) => parseUrl(href) ?? [])].flatMap((url) => {
    const bare = url.hostname.replace(/^www\./, '')
    const isName = !bare.startsWith('[') && !/^[\d.]+$/.test(bare)
    return [bare, ...(isName ? [`www.${bare}`] : [])].map((hostname) => new URL(`${url.protocol}//${hostname}/`))
  })
}

/** Tests for a valid item of `headersFor`. */
export function isHeaderHost(text: string): boolean {
  const pattern = withoutScheme(text)
  const host = pattern.replace(/^\*\./, '')
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host) || !isUrl(`http://${host}`)) return false
  return !pattern.startsWith('*.') || /\.[a-z]/i.test(host)
}
