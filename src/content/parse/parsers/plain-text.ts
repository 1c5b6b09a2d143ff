import { decodeText } from '../../encoding/decode-text.js'
import { linkText } from '../text/link-text.js'
import type { Parser } from '../parser.js'
import { languageOfType } from '../media-type/source-languages.js'
import { makeVerbatimPage } from '../pages/verbatim-page.js'

const OTHERS: ReadonlySet<string> = new Set([
  'text/html',
  'text/xml',
  'text/json',
  'text/markdown',
  'text/x-markdown',
  'text/csv',
  'text/x-csv',
  'text/comma-separated-values',
  'text/tab-separated-values',
  'text/rtf',
])

/**
 * Reads other text: it is kept as it is, and links are extracted, in Markdown form or bare.
 *
 * @see docs/compatibility/documents.md#files
 */
export const plainText: Parser = {
  name: 'plain-text',
  accepts: (mediaType) =>
    mediaType.startsWith('text/') && !OTHERS.has(mediaType) && languageOfType(mediaType) === undefined,
  parse(input) {
    const text = decodeText(input, 'text')
    return makeVerbatimPage(input, text, text, linkText(text))
  },
}
