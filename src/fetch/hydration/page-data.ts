import { readDataLayer } from '../embedded-data/data-layer.js'
import type { FetchedPage } from '../fetched-page.js'
import { listScripts } from '../embedded-data/list-scripts.js'
import { type PageName, readPageName } from './page-name.js'
import { MAX_BYTES } from '../rendering/scan-page-text.js'
import type { PageData } from '../embedded-data/payload.js'
import * as payloads from '../payloads/index.js'

/** The data that a page brings for its scripts. */
export interface PageState {
  /** What its framework, or its store, goes by. */
  readonly state: readonly PageData[]
  /** What it tells its analytics. */
  readonly dataLayer: readonly PageData[]
  /** Which of the things in them is the page itself. */
  readonly name: PageName
  /** The page's source. */
  readonly html: string
}

/** Reads the data that a page brings for its scripts; undefined for what is no such page, or too large. None of them is run. */
export function readPageData({ body, url, contentType = 'text/html' }: FetchedPage): PageState | undefined {
  if (body.byteLength > MAX_BYTES || !/html/i.test(contentType) || !URL.canParse(url)) return undefined
  // Names and numbers are the same in every encoding that pages have; what is said in other signs is not believed.
  const html = new TextDecoder('utf-8').decode(body)
  const source = { html, scripts: listScripts(html) }
  return {
    state: Object.values(payloads).flatMap((payload) => payload.read(source)),
    dataLayer: readDataLayer(source.scripts),
    name: readPageName(html, url),
    html,
  }
}
