import { readAttributes, scanTags } from './scan-tags.js'

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
export function findAnchors(source: string, most: number): Anchors {
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
