import { TrawlError } from '../../../base/errors.js'
import { isWebUrl, MAX_URL_CHARACTERS, resolveUrl, withoutCredentials, withoutFragment } from '../../../base/url.js'
import type { LeftLink, LeftPage } from '../fetched-page.js'
import { readUtf8 } from './redirect.js'
import { readAttributes, scanTags } from '../../../content/html/scan-tags.js'

/** Length of the start of a page that leads on by a refresh in which its links are looked for. Bytes. Scanning takes 3 ms. */
const MAX_LEFT = 262_144
/** Length of the start of such a page that is looked at; a longer one is cut. Bytes. */
export const MAX_READ = 2 * MAX_LEFT + 1
/** Maximum number of its links. */
const MAX_LEFT_LINKS = 1000

/** A response in place of whose page the browser, or this library, loads another one. */
interface LeftResponse {
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Reads the links of a page that leads on to `target`. @returns undefined for one that has none but that to `target` */
export function readLeftPage(url: URL, { headers, body }: LeftResponse, target: URL): LeftPage | undefined {
  const start = toText(body, 0, MAX_LEFT)
  const { anchors, base, metadata, isCut: hasMore } = findAnchors(start, MAX_LEFT_LINKS)
  const baseUrl = ((base === undefined ? undefined : resolveUrl(readUtf8(base), url.href)) ?? url).href
  const known = new Set([url, target].map((own) => withoutFragment(own).href))
  const links = anchors.flatMap(({ href, nofollow }): LeftLink[] => {
    const link = href.length > MAX_URL_CHARACTERS ? undefined : resolveUrl(readUtf8(href), baseUrl)
    if (!link || !isWebUrl(link) || known.has(withoutFragment(link).href)) return []
    return [{ url: link.href, nofollow }]
  })
  const isCut = hasMore || mayHaveMore(body)
  if (links.length === 0 && !isCut) return undefined
  const robotsTag = headers['x-robots-tag']
  return { links, metadata, robotsTag, isCut: isCut || undefined }
}

/** Tests for links behind the start that is read. A page that goes on for long behind it is not scanned to its end. */
const mayHaveMore = (body: Uint8Array): boolean =>
  body.byteLength >= MAX_READ || findAnchors(toText(body, MAX_LEFT, 2 * MAX_LEFT), 1).anchors.length > 0

const toText = (body: Uint8Array, from: number, to: number): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).subarray(from, to).toString('latin1')

/** Pages that led on to one that failed, by its error and the URL that was requested: an error may be that of several pages. */
const leftByError = new WeakMap<Error, Map<string, readonly LeftPage[]>>()

/** Keeps the pages that led on to what failed with an error, for {@link leftPagesOf}. @returns the error */
export function keepLeftPages<Thrown>(error: Thrown, requested: string | URL, pages: readonly LeftPage[] = []): Thrown {
  if (pages.length === 0 || !(error instanceof TrawlError)) return error
  const known = leftByError.get(error) ?? new Map<string, readonly LeftPage[]>()
  leftByError.set(error, known.set(nameOf(requested), pages))
  return error
}

/** Lists the pages that led on to one that failed. @param requested URL of the first of them */
export function leftPagesOf(error: unknown, requested: string): readonly LeftPage[] {
  const seen = new Set<unknown>()
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at)
    const pages = leftByError.get(at)?.get(nameOf(requested))
    if (pages) return pages
  }
  return []
}

const nameOf = (url: string | URL): string => withoutFragment(withoutCredentials(new URL(url))).href

/** A link in the source of a page, as it is written. */
interface Anchor {
  readonly href: string
  /** Set when the page asks crawlers not to follow the link: `rel="nofollow"`. */
  readonly nofollow?: true
}

/** The links in the source of a page. */
interface Anchors {
  readonly anchors: readonly Anchor[]
  /** The `href` of its first `<base>`, which the links are relative to. @default the URL of the page */
  readonly base?: string
  /** Its `meta` tags by name in which `nofollow` or `none` stands. */
  readonly metadata: Readonly<Record<string, readonly string[]>>
  /** Set when it has more links than were asked for. */
  readonly isCut?: true
}

/** Maximum number of `meta` tags that are read. */
const MAX_METAS = 20

/**
 * Finds the links and frames in the source of a page, without parsing it. In time linear in the length of the source.
 *
 * @param most maximum number of links, from the first
 */
function findAnchors(source: string, most: number): Anchors {
  const found = new Map<string, Anchor>()
  const metas: (readonly [string, string])[] = []
  let base: string | undefined
  let isCut = false
  for (const { name, at } of scanTags(source)) {
    if (name === 'a' || name === 'area' || name === 'frame' || name === 'iframe') {
      const { href, src, rel = '' } = readAttributes(source, at)
      const target = (name === 'a' || name === 'area' ? href : src)?.trim() ?? ''
      if (target === '') continue
      if (found.size === most && !found.has(target)) {
        isCut = true
        continue
      }
      const isNofollow = rel.toLowerCase().split(/\s+/).includes('nofollow')
      // A page counts as followable as soon as one link to it has no `nofollow`.
      if (!isNofollow) found.set(target, { href: target })
      else if (!found.has(target)) found.set(target, { href: target, nofollow: true })
    } else if (name === 'base') base ??= readAttributes(source, at).href
    else if (name === 'meta' && metas.length < MAX_METAS) {
      const { name: kind, content } = readAttributes(source, at)
      if (kind !== undefined && content !== undefined && /nofollow|none/i.test(content)) metas.push([kind, content])
    }
  }
  const names = new Set(metas.map(([name]) => name))
  const metadata = Object.fromEntries(
    [...names].map((name) => [name, metas.flatMap(([other, content]) => (other === name ? [content] : []))]),
  )
  return { anchors: [...found.values()], metadata, base, isCut: isCut || undefined }
}
