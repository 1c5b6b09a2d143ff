import type { LedgerRow } from '../../ledger/ledger.js'
import type { Document } from '../../page/document.js'

/** Adds the fields of a document that only the crawl knows: its depth, the page that links to it, and its visibility. */
export const describePage = ({ changeTracking, ...document }: Document, row: LedgerRow): Document => ({
  ...document,
  ...(changeTracking && {
    changeTracking: row.via === 'previous' ? { ...changeTracking, visibility: 'hidden' } : changeTracking,
  }),
  metadata: {
    ...document.metadata,
    depth: row.depth,
    ...(row.foundOn === undefined ? {} : { discoveredFrom: row.foundOn }),
  },
})
