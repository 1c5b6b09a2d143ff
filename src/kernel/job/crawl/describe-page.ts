import type { LedgerRow } from '../../ledger/ledger.js'
import type { Document } from '../../page/document.js'

/** Adds the fields of a document that only the crawl knows: its depth, the page that links to it, and its visibility. */
export function describePage(document: Document, { via, depth, foundOn }: LedgerRow): Document {
  const found = foundOn === undefined ? {} : { discoveredFrom: foundOn }
  const described = { ...document, metadata: { ...document.metadata, depth, ...found } }
  const { changeTracking } = document
  return via === 'previous' && changeTracking
    ? { ...described, changeTracking: { ...changeTracking, visibility: 'hidden' } }
    : described
}
