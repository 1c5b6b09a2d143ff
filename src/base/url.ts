/** Rules about URLs. They never access the network, and never throw on strings from the web. */

/**
 * Maximum length of a URL that is requested or followed, in characters. RFC 9110 section 4.1 asks servers to accept
 * 8000, and many accept no more. Longer URLs are refused before anything else examines them.
 */
export const MAX_URL_CHARACTERS = 8000

/** URL as given by a caller: a string or a `URL`. */
export type UrlLike = string | URL

/** Converts a `URL` to a string. Other values are returned unchanged, because options are checked later. */
export const urlToString = <Value>(value: Value): Exclude<Value, URL> | string =>
  value instanceof URL ? value.href : (value as Exclude<Value, URL>)

/**
 * Parses a URL; undefined for what is not one.
 *
 * Not by `URL.canParse`: once V8 has compiled the call, Node 20 takes the Latin-1 characters of a string for UTF-8, and
 * refuses `https://müller.example/`. Parsing once is also quicker than asking first.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** Tests for a URL that can be parsed. */
export const isUrl = (text: string, base?: string): boolean => parseUrl(text, base) !== undefined

/** Resolves `href` on a page at `base`; undefined if it is not a URL. */
export function resolveUrl(href: string, base?: string): URL | undefined {
  // `http:/x` and `https:/x` are common typing errors. The URL parser would resolve the first one relative to `base`.
  const repaired = href.trim().replace(/^(https?):\/(?!\/)/i, '$1://')
  return parseUrl(repaired, base)
}

/** Resolves `href` to an address that may be requested: a web URL of at most {@link MAX_URL_CHARACTERS}; undefined for others. */
export function resolveWebUrl(href: string, base?: string): URL | undefined {
  if (href.length > MAX_URL_CHARACTERS) return undefined
  const url = resolveUrl(href, base)
  return url && isWebUrl(url) && url.href.length <= MAX_URL_CHARACTERS ? url : undefined
}

/** Adds `http://` to a URL without a scheme. @see docs/compatibility/requests.md#urls */
export const withScheme = (spelling: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(spelling) ? spelling : `http://${spelling}`

export const isWebUrl = (url: { readonly protocol: string }): boolean =>
  url.protocol === 'http:' || url.protocol === 'https:'

/** Tests for a fragment of a client-side router (`#/…`, `#!/…`), which identifies a page of its own. */
export const isRouteFragment = (hash: string): boolean => /^#!?\/./.test(hash)

/** Removes the fragment, unless a client-side router reads it. */
export function withoutFragment(url: URL): URL {
  if (url.hash === '' && !url.href.endsWith('#')) return url
  if (isRouteFragment(url.hash)) return url
  const bare = new URL(url)
  bare.hash = ''
  return bare
}

/** Removes the fragment of an address, unless it is a route, as all links to sections of a page lead to one page. */
export function withoutSection(href: string): string {
  const at = href.indexOf('#')
  return at === -1 || isRouteFragment(href.slice(at)) ? href : href.slice(0, at)
}

/** Removes `www.` and the dot at the end of an absolute host name. */
const stripWww = (hostname: string): string => hostname.replace(/^www\./, '').replace(/\.$/, '')

/** Tests for the same host, `www.` aside. Ports count: `http` and `https` on their default ports are one site, any other port is another. */
export const isSameHost = (a: URL, b: URL): boolean =>
  stripWww(a.hostname) === stripWww(b.hostname) && a.port === b.port

/** Describes the endpoint of a web URL: its origin and its path, in which numbers are left out. */
export function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/\d+(?=\/|$)/g, '/#')}`
}

/** Removes user name and password, for messages and records. */
export function withoutCredentials(url: URL): URL {
  if (url.username === '' && url.password === '') return url
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare
}

/** Counts path segments without an index file: `/a/b/index.html` has 2. */
export function pathDepth(url: URL): number {
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  return /^index\.(html|php)$/.test(segments.at(-1) ?? '') ? segments.length - 1 : segments.length
}

/**
 * The path prefix that a crawl from `start` stays below.
 *
 * `/docs/` stays below `/docs/`; `/docs/guide.html` below `/docs/`; `/docs` admits `/docs` and `/docs/…`, not `/docsearch`.
 * @see docs/compatibility/crawls.md#links-and-scope
 */
export function childScope(start: URL): string {
  const path = start.pathname
  if (path.endsWith('/')) return path
  const last = path.slice(path.lastIndexOf('/') + 1)
  return /\.[a-z0-9]{2,}$/i.test(last) ? path.slice(0, path.lastIndexOf('/') + 1) : path
}

/** Tests if `url` is at or below a prefix of {@link childScope}; `/docs` is not below `/docs/`. */
export function isBelow(scope: string, url: URL): boolean {
  if (scope.endsWith('/')) return url.pathname.startsWith(scope)
  return url.pathname === scope || url.pathname.startsWith(`${scope}/`)
}

/** Returns the key of a site for politeness: host and port, `www.` aside. */
export const siteOf = (url: URL): string => `${stripWww(url.hostname)}${url.port === '' ? '' : `:${url.port}`}`

/** Returns true for a URL without a path and a query. */
export const isHomePage = (url: URL): boolean => url.pathname === '/' && url.search === ''

/** Removes trailing slashes. */
export function withoutLastSlashes(address: string): string {
  let to = address.length
  while (address[to - 1] === '/') to -= 1
  return address.slice(0, to)
}

/** Decodes the percent-encoding of a user name or password. A stray `%` is kept. */
export const decodePercent = (part: string): string =>
  part.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => Buffer.from(escaped.replaceAll('%', ''), 'hex').toString())

/** Returns the last segment of the path of a URL, as written there; `''` if there is none. */
export const lastSegmentOf = (url: string): string => resolveUrl(url)?.pathname.split('/').at(-1) ?? ''
