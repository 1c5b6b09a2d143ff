import { decodeText } from '../text/decode-text.js'
import { readJsonFeed } from '../feeds/json-feed.js'
import type { Parser } from '../parser.js'
import { fence, makeVerbatimPage } from '../pages/verbatim-page.js'

/**
 * JSON, also as `+json`: shown in a fence, as it came; a JSON Feed as a list of its entries.
 *
 * @see RFC 8259, docs/compatibility.md#files
 */
export const json: Parser = {
  name: 'json',
  accepts: (mediaType) => /[/+]json$/.test(mediaType),
  parse(input, plan) {
    const text = decodeText(input.body, undefined, 'json')
    return (
      readJsonFeed(input, text, plan) ??
      makeVerbatimPage(input, text, fence(text, 'json'), isCutOff(text) ? { warning: CUT_OFF } : {})
    )
  },
}

const CUT_OFF = 'The JSON is cut off: what comes after its last byte is missing.'

/** Tests if an object or list does not end, without parsing it. */
function isCutOff(text: string): boolean {
  const last = { '{': '}', '[': ']' }[/^\s*([{[])/.exec(text.slice(0, 1000))?.[1] ?? '']
  return last !== undefined && !text.slice(-1000).trimEnd().endsWith(last)
}
