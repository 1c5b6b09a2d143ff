import { isSameHost } from '../url.js'

/** The hosts that receive the caller's headers. */
export interface HeaderScope {
  /** The URL named in the request: its host, with or without `www.`, is in the scope. */
  readonly namedUrl: string
  /** Further hosts: `example.com`, `example.com:8443`, `*.example.com`. @default none */
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
 * Headers of a request that names an https URL are never sent over http: a redirect to http would expose them on the
 * network.
 */
export function isInHeaderScope(url: URL, { namedUrl, hosts = [] }: HeaderScope): boolean {
  const named = new URL(namedUrl)
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || named.protocol !== 'http:')) return false
  return isSameHost(url, named) || hosts.some((host) => matchesHost(url, host))
}

function matchesHost(url: URL, host: string): boolean {
  const isWildcard = host.startsWith('*.')
  const address = `${url.protocol}//${isWildcard ? host.slice(2) : host}`
  if (!URL.canParse(address)) return false
  const allowed = new URL(address)
  if (!isWildcard) return isSameHost(url, allowed)
  return url.port === allowed.port && url.hostname.endsWith(`.${allowed.hostname}`)
}

/**
 * Lists patterns for the `Fetch` domain of the DevTools protocol that match all URLs in the scope, and possibly more.
 */
export function listScopePatterns({ namedUrl, hosts = [] }: HeaderScope): string[] {
  const names = [new URL(namedUrl).host, ...hosts].flatMap((host) => {
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
  const others = hosts.filter((host) => !host.startsWith('*.')).map((host) => `${named.protocol}//${host}`)
  return [named, ...others.flatMap((href) => (URL.canParse(href) ? [new URL(href)] : []))].flatMap((url) => {
    const bare = url.hostname.replace(/^www\./, '')
    const isName = !bare.startsWith('[') && !/^[\d.]+$/.test(bare)
    return [bare, ...(isName ? [`www.${bare}`] : [])].map((hostname) => new URL(`${url.protocol}//${hostname}/`))
  })
}

/** Tests for a valid item of `headersFor`. */
export function isHeaderHost(text: string): boolean {
  const host = text.replace(/^\*\./, '')
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host) || !URL.canParse(`http://${host}`)) return false
  return !text.startsWith('*.') || /\.[a-z]/i.test(host)
}
