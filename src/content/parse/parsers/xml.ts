import { decodeText } from '../../encoding/decode-text.js'
import { findRoot } from '../html/expand-entities.js'
import { readFeed } from '../feeds/feed.js'
import { XHTML } from '../media-type/sniff-media-type.js'
import type { Parser } from '../parser.js'
import { fence, makeVerbatimPage } from '../pages/verbatim-page.js'
import { html } from './html.js'
import { svg } from './svg.js'

/** Media types of XML that have a parser of their own. */
const TYPES_OF_OTHER_PARSERS: ReadonlySet<string> = new Set([XHTML, 'image/svg+xml'])

/**
 * Reads XML: XHTML as a page, SVG by its words, RSS and Atom feeds as a list of entries, anything else as a code block.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7303
 */
export const xml: Parser = {
  name: 'xml',
  accepts: (mediaType) => /[/+]xml$/.test(mediaType) && !TYPES_OF_OTHER_PARSERS.has(mediaType),
  parse(input, plan) {
    const text = decodeText(input, 'xml')
    const root = rootName(text)
    if (root === 'html') return html.parse({ ...input, mediaType: XHTML }, plan)
    if (root === 'svg') return svg.parse(input, plan)
    const isFeed = root === 'rss' || root === 'feed' || root === 'RDF'
    const feed = isFeed ? readFeed(input, text, plan) : undefined
    return feed ?? makeVerbatimPage(input, text, fence(text, 'xml'), isCutOff(text) ? { warning: CUT_OFF } : {})
  },
}

const CUT_OFF = 'The XML is cut off: its end is missing.'

/** Tests if the text does not end with a tag. */
const isCutOff = (text: string): boolean => text.includes('<') && !text.slice(-1000).trimEnd().endsWith('>')

/** Returns the local name of the root element. */
function rootName(text: string): string | undefined {
  const at = findRoot(text)
  const start = text.slice(at, at + 10_000)
  for (const { 1: name } of start.matchAll(/<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)[\s/>]/g)) {
    return name
  }
  return undefined
}
