import { resolveWebUrl } from '../../base/url.js'

/** Maximum characters of a page to look for the link in: it stands in the head. */
const MAX_CHARACTERS = 262_144
const TYPE = 'text/markdown'
/** Maximum occurrences of the type to look at. */
const MAX_TRIES = 50
/** Maximum characters of a tag to read. */
const MAX_TAG_CHARACTERS = 2000

/**
 * Finds the Markdown that a page names as another form of itself: `<link rel="alternate" type="text/markdown" href="…">`. A link
 * in a comment is found too: what it leads to is compared with the page. Linear.
 */
export function findTwinLink({ url, body }: { readonly url: string; readonly body: Uint8Array }): string | undefined {
  const html = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, MAX_CHARACTERS)).toString()
  let tries = 0
  for (let at = html.indexOf(TYPE); at !== -1 && tries < MAX_TRIES; at = html.indexOf(TYPE, at + 1)) {
    tries += 1
    const before = html.slice(Math.max(0, at - MAX_TAG_CHARACTERS), at)
    const [after = ''] = html.slice(at, at + MAX_TAG_CHARACTERS).split('>', 1)
    const tag = before.slice(Math.max(0, before.lastIndexOf('<'))) + after
    if (!/^<(?:link|a)\s/i.test(tag) || attribute(tag, 'type') !== TYPE) continue
    const relations = attribute(tag, 'rel')?.toLowerCase().split(/\s+/) ?? []
    const href = attribute(tag, 'href')
    const resolved = relations.includes('alternate') && href !== undefined ? resolveWebUrl(href, url) : undefined
    if (resolved) return resolved.href
  }
  return undefined
}

/** Reads an attribute of a tag. */
function attribute(tag: string, name: string): string | undefined {
  const found = new Map(
    [...tag.matchAll(/\s([a-z-]{1,40})=(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,2000}))/gi)].map(
      ([, key = '', ...values]) => [key.toLowerCase(), values.find((value) => value !== undefined) ?? ''],
    ),
  )
  return found.get(name)?.replaceAll('&amp;', '&')
}
