import { readSheetLink } from '../../base/text/linked-sheet.js'
import { parseUrl } from '../../base/url.js'
import { kindOfMedia } from '../../content/extract/styles/media-query.js'
import { readImports } from '../../content/extract/styles/read-imports.js'
import { readAllAttributes, scanTags } from '../../content/html/scan-tags.js'

/** Maximum length of the start of a page in which links to style sheets are looked for: this runs on the host's thread. Bytes. */
export const MAX_START = 262_144
/** Maximum length of a link. Characters. */
const MAX_LINK = 2000
/** Maximum number of links that are read, those to other sites included. */
const MAX_LINKS = 100
/** Maximum length of a `style` element in which imports are looked for. Characters. */
const MAX_STYLE = 6000

/** A style sheet that a page links to. */
export interface SheetAddress {
  /** As the page writes it. */
  readonly href: string
  readonly url: URL
}

/**
 * Finds the style sheets for screens that a page links to, or imports into its own, in their order. In time linear in the start of the
 * page.
 *
 * @param bytes the start of the page
 */
export function findSheetLinks(bytes: Buffer, pageUrl: string): readonly SheetAddress[] {
  const last = Math.max(bytes.lastIndexOf('stylesheet'), bytes.lastIndexOf('@import'))
  if (last === -1) return []
  const source = bytes.toString('utf8', 0, last + MAX_LINK)
  const found = new Map<string, SheetAddress>()
  let base = pageUrl
  let left = MAX_LINKS
  const add = (href: string, media: string | undefined): void => {
    left -= 1
    if (left < 0 || href.length > MAX_LINK || found.has(href)) return
    const url = kindOfMedia(media ?? '') === 'none' ? undefined : parseUrl(href, base)
    if (url) found.set(href, { href, url })
  }
  let behind = 0
  for (const { name, at } of scanTags(source)) {
    if (left <= 0) break
    // It is text of an attribute.
    if (at < behind) continue
    if (name === 'style') {
      const element = source.slice(at, at + MAX_STYLE)
      const begin = element.indexOf('>') + 1
      const end = element.indexOf('<', begin)
      for (const { href, media } of begin === 0 ? [] : readImports(element.slice(begin, end === -1 ? undefined : end)))
        add(href, media)
      continue
    }
    if (name !== 'link' && (name !== 'base' || base !== pageUrl)) continue
    const { attributes, end } = readAllAttributes(source, at)
    behind = end
    if (name === 'base') {
      const href = attributes.get('href') ?? ''
      if (href.length <= MAX_LINK) base = parseUrl(href, pageUrl)?.href ?? pageUrl
    } else {
      const link = readSheetLink((one) => attributes.get(one))
      if (link) add(link.href, link.media)
    }
  }
  return [...found.values()]
}
