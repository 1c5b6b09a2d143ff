import { listScripts } from '../embedded-data/list-scripts.js'
import { type PageMatcher, createPageMatcher } from './page-matcher.js'
import { MAX_BYTES } from '../rendering/scan-page-text.js'
import type { PageData, PageScript } from '../embedded-data/payload.js'
import * as payloads from '../embedded-data/payloads/index.js'
import { isUrl } from '../../base/url.js'
import { readLiteral } from '../embedded-data/read-literal.js'

/** The data that a page embeds for its scripts, with the page's source. */ export interface EmbeddedData {
  /** State of the framework and of stores. */
  readonly state: readonly PageData[]
  /** Data for analytics. */
  readonly dataLayer: readonly PageData[]
  /** Recognizes the item of the data that describes the page itself. */
  readonly matcher: PageMatcher
  /** The page's source. */
  readonly html: string
}

/** Reads the data that a page embeds for its scripts; undefined for what is not HTML, or too large. No script is run. */
export function readPageData({
  body,
  url,
  contentType = 'text/html',
}: {
  readonly body: Uint8Array
  readonly url: string
  readonly contentType?: string
}): EmbeddedData | undefined {
  if (body.byteLength > MAX_BYTES || !/html/i.test(contentType) || !isUrl(url)) return undefined
  // ASCII names and numbers are the same bytes in all common encodings; other characters may be wrong.
  const html = new TextDecoder('utf-8').decode(body)
  const source = { html, scripts: listScripts(html) }
  return {
    state: Object.values(payloads).flatMap((payload) => payload.read(source)),
    dataLayer: readDataLayer(source.scripts),
    matcher: createPageMatcher(html, url),
    html,
  }
}

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
function readDataLayer(scripts: readonly PageScript[]): PageData[] {
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
