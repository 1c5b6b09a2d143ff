import { decodeText } from '../../encoding/decode-text.js'
import { readJsonFeed } from '../feeds/json-feed.js'
import type { Parser } from '../parser.js'
import { fence, makeVerbatimPage } from '../pages/verbatim-page.js'

/**
 * Reads JSON, including media types that end in `+json`. It becomes a code block with the unchanged text, or for a JSON
 * Feed a list of entries.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259
 * @see docs/compatibility/documents.md#files
 */
export const json: Parser = {
  name: 'json',
  accepts: (mediaType) => /[/+]json$/.test(mediaType),
  parse(input, plan) {
    const text = decodeText(input, 'json')
    return (
      readJsonFeed(input, text, plan) ??
      makeVerbatimPage(input, text, fence(text, 'json'), isCutOff(text) ? { warning: CUT_OFF } : {})
    )
  },
}

const CUT_OFF = 'The JSON is cut off: its end is missing.'

/** Tests if the closing bracket of an object or array is missing, without parsing it. */
function isCutOff(text: string): boolean {
  const last = { '{': '}', '[': ']' }[/^\s*([{[])/.exec(text.slice(0, 1000))?.[1] ?? '']
  return last !== undefined && !text.slice(-1000).trimEnd().endsWith(last)
}
