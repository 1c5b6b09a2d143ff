import { isSameHost } from '../url.js'

/** The hosts that the caller's headers are for. */
export interface HeaderScope {
  /** The URL that the request names: its host, with or without `www.`, is one of them. */
  readonly namedUrl: string
  /** Hosts that the caller adds: `example.com`, `example.com:8443`, `*.example.com`. @default none */
  readonly hosts?: readonly string[]
}

/** The scope of a page's headers: a crawl names one URL for all its pages, otherwise each page's own URL is named. */
export const headerScopeOf = (planned: Partial<HeaderScope> | undefined, pageUrl: URL): HeaderScope => ({
  namedUrl: pageUrl.href,
  ...planned,
})

/**
 * Whether the caller's headers go with a request to `url`.
 *
 * They never go over plain http when the request names an https URL: a redirect to http would show them to everybody on
 * the way.
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

/** Patterns of Chromium's `Fetch` domain that match every URL in the scope, and some more. */
export function listScopePatterns({ namedUrl, hosts = [] }: HeaderScope): string[] {
  const names = [new URL(namedUrl).host, ...hosts].flatMap((host) => {
    const bare = host.toLowerCase().replace(/^www\./, '')
    return bare.startsWith('*.') ? [bare] : [bare, `www.${bare}`]
  })
  return [...new Set(names)].flatMap((name) => {
    const [, withoutPort = name, port] = /^(.*?):(\d+)$/.exec(name) ?? []
    // A URL does not spell out the default port of its scheme.
    const isDefault = port === '80' || port === '443'
    return ['http', 'https'].flatMap((scheme) => [
      `${scheme}://${name}/*`,
      ...(isDefault ? [`${scheme}://${withoutPort}/*`] : []),
    ])
  })
}

/** One address of each host in the scope that has a name of its own, for cookies. */
export function listScopeUrls({ namedUrl, hosts = [] }: HeaderScope): URL[] {
  const named = new URL(namedUrl)
  const others = hosts.filter((host) => !host.startsWith('*.')).map((host) => `${named.protocol}//${host}`)
  return [named, ...others.flatMap((href) => (URL.canParse(href) ? [new URL(href)] : []))].flatMap((url) => {
    const bare = url.hostname.replace(/^www\./, '')
    const isName = !bare.startsWith('[') && !/^[\d.]+$/.test(bare)
    return [bare, ...(isName ? [`www.${bare}`] : [])].map((hostname) => new URL(`${url.protocol}//${hostname}/`))
  })
}

/** Whether a text is a host that `headersFor` may hold. */
export function isHeaderHost(text: string): boolean {
  const host = text.replace(/^\*\./, '')
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host) || !URL.canParse(`http://${host}`)) return false
  return !text.startsWith('*.') || /\.[a-z]/i.test(host)
}
