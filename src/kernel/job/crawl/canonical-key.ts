import type { LedgerRow } from '../../ledger/ledger.js'
import type { ScrapedPage } from '../../page/pipeline.js'
import { isSameHost, parseUrl, withoutFragment } from '../../../base/url.js'

/** Returns the key of a page's canonical URL, if that lies on the same host; otherwise the row's own key. */
export function canonicalKeyOf({ document }: ScrapedPage, row: LedgerRow, keyOf: (url: URL) => string): string {
  const { canonicalUrl, url } = document.metadata
  const parsed = typeof canonicalUrl === 'string' ? parseUrl(canonicalUrl) : undefined
  if (!parsed) return row.key
  const canonical = withoutFragment(parsed)
  return isSameHost(canonical, new URL(url)) ? keyOf(canonical) : row.key
}
