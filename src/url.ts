/** Pure rules about URLs. Nothing here touches the network, and nothing throws on a string from the web. */

/**
 * The longest URL that is requested or followed, in characters. RFC 9110 section 4.1 asks servers to take 8000, and many
 * take no more. What is longer is refused before anything else looks at it.
 */
export const MAX_URL_CHARACTERS = 8000

/** A URL as a caller may give it: as text, or as the platform's own object. */
export type UrlLike = string | URL

/** The text of a `URL`; any other value as it is. */
export const takeUrl = <Value>(value: Value): Exclude<Value, URL> | string =>
  value instanceof URL ? value.href : (value as Exclude<Value, URL>)

/** The absolute URL that `href` means on a page at `base`; undefined when it means none. */
export function resolveUrl(href: string, base?: string): URL | undefined {
  // `http:/x` and `https:/x` are common slips: the URL parser would read the first relative to `base`.
  const repaired = href.trim().replace(/^(https?):\/(?!\/)/i, '$1://')
  return URL.canParse(repaired, base) ? new URL(repaired, base) : undefined
}

/** A URL as a caller may spell it: without a scheme it is an http URL. @see docs/compatibility.md#urls */
export const withScheme = (spelling: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(spelling) ? spelling : `http://${spelling}`

export const isWebUrl = (url: URL): boolean => url.protocol === 'http:' || url.protocol === 'https:'

/** A fragment that a client-side router reads (`#/…`, `#!/…`), so that it names a page of its own. */
export const isRouteFragment = (hash: string): boolean => /^#!?\/./.test(hash)

/** The URL as it is asked for: no fragment, unless a client-side router reads it. */
export function withoutFragment(url: URL): URL {
  if (url.hash === '' && !url.href.endsWith('#')) return url
  if (isRouteFragment(url.hash)) return url
  const bare = new URL(url)
  bare.hash = ''
  return bare
}

/** An address up to its fragment, unless that is a route: all links to sections of a page lead to one page. */
export function withoutSection(href: string): string {
  const at = href.indexOf('#')
  return at === -1 || isRouteFragment(href.slice(at)) ? href : href.slice(0, at)
}

/** What names a host: without `www.`, and without the dot that may end an absolute name. */
const stripWww = (hostname: string): string => hostname.replace(/^www\./, '').replace(/\.$/, '')

/** Whether both are on the same host: `www.` aside, ports count. */
export const isSameHost = (a: URL, b: URL): boolean =>
  stripWww(a.hostname) === stripWww(b.hostname) && effectivePort(a) === effectivePort(b)

// `http` and `https` on their own default ports are one site; any other port is another.
const effectivePort = (url: URL): string => url.port

/** The URL as it may stand in a message or a record: without a user name and a password. */
export function withoutCredentials(url: URL): URL {
  if (url.username === '' && url.password === '') return url
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare
}

/** Number of path segments, an index file not counted: `/a/b/index.html` is 2. */
export function pathDepth(url: URL): number {
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  return /^index\.(html|php)$/.test(segments.at(-1) ?? '') ? segments.length - 1 : segments.length
}

/**
 * The path prefix that a crawl from `start` stays below.
 *
 * `/docs/` stays below `/docs/`; `/docs/guide.html` below `/docs/`; `/docs` admits `/docs` and `/docs/…`, not `/docsearch`.
 * @see docs/compatibility.md#links-and-scope
 */
export function childScope(start: URL): string {
  const path = start.pathname
  if (path.endsWith('/')) return path
  const last = path.slice(path.lastIndexOf('/') + 1)
  return /\.[a-z0-9]{2,}$/i.test(last) ? path.slice(0, path.lastIndexOf('/') + 1) : path
}

/** Whether `url` lies at or below the prefix that {@link childScope} gave; `/docs` does not lie below `/docs/`. */
export function isBelow(scope: string, url: URL): boolean {
  if (scope.endsWith('/')) return url.pathname.startsWith(scope)
  return url.pathname === scope || url.pathname.startsWith(`${scope}/`)
}

/** What politeness counts as one site: the host and port, `www.` aside. */
export const siteOf = (url: URL): string => `${stripWww(url.hostname)}${url.port === '' ? '' : `:${url.port}`}`

/** The address without the slashes at its end. */
export function withoutLastSlashes(address: string): string {
  let to = address.length
  while (address[to - 1] === '/') to -= 1
  return address.slice(0, to)
}

/** Decodes the percent-encoding of a user name or password. A stray `%` is kept. */
export const decodePercent = (part: string): string =>
  part.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => Buffer.from(escaped.replaceAll('%', ''), 'hex').toString())
