import type { PageData, PageScript } from './payload.js'
import { readLiteral } from './read-literal.js'

/** Calls of Google's analytics tags, in both notations. */
const CALLS =
  /\bdataLayer\s*(?:\.push\s*\(\s*|=\s*(?:window\.dataLayer\s*\|\|\s*)?(?=\[))|\bgtag\s*\(\s*["']event["']\s*,\s*["']view_item["']\s*,\s*/g
/** Maximum number of calls to read in one page. */
const MAX_CALLS = 100

/**
 * Reads the data that a page sends to its analytics. No script is run: only values that are written as literals are read.
 *
 * @see https://developers.google.com/analytics/devguides/collection/ga4/ecommerce
 */
export function readDataLayer(scripts: readonly PageScript[]): PageData[] {
  const found: PageData[] = []
  let calls = 0
  for (const { tag, text } of scripts) {
    if (/\ssrc=/i.test(tag)) continue
    for (const match of text.matchAll(CALLS)) {
      if (++calls > MAX_CALLS) return found
      const value = readLiteral(text, match.index + match[0].length)
      if (value !== undefined) found.push({ source: 'dataLayer', scope: 'description', value })
    }
  }
  return found
}
