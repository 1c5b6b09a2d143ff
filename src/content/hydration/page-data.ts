import { readDataLayer } from '../embedded-data/data-layer.js'
import { listScripts } from '../embedded-data/list-scripts.js'
import { type PageMatcher, createPageMatcher } from './page-matcher.js'
import { MAX_BYTES } from '../rendering/scan-page-text.js'
import type { PageData } from '../embedded-data/payload.js'
import * as payloads from '../embedded-data/payloads/index.js'
import { isUrl } from '../../base/url.js'

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
