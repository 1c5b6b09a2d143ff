import { readDataLayer } from '../embedded-data/data-layer.js'
import type { FetchedPage } from '../fetched-page.js'
import { listScripts } from '../embedded-data/list-scripts.js'
import { type PageName, readPageName } from './page-name.js'
import { MAX_BYTES } from '../rendering/scan-page-text.js'
import type { PageData } from '../embedded-data/payload.js'
import * as payloads from '../payloads/index.js'

/** The data that a page embeds for its scripts. */
export interface PageState {
  /** State of the framework or the store. */
  readonly state: readonly PageData[]
  /** Data for analytics. */
  readonly dataLayer: readonly PageData[]
  /** Tells which item of the data is the page itself. */
  readonly name: PageName
  /** The page's source. */
  readonly html: string
}

/** Reads the data that a page embeds for its scripts; undefined for what is not HTML, or too large. No script is run. */
export function readPageData({ body, url, contentType = 'text/html' }: FetchedPage): PageState | undefined {
  if (body.byteLength > MAX_BYTES || !/html/i.test(contentType) || !URL.canParse(url)) return undefined
  // Names and numbers are the same bytes in all encodings of pages; other characters are not relied on.
  const html = new TextDecoder('utf-8').decode(body)
  const source = { html, scripts: listScripts(html) }
  return {
    state: Object.values(payloads).flatMap((payload) => payload.read(source)),
    dataLayer: readDataLayer(source.scripts),
    name: readPageName(html, url),
    html,
  }
}
