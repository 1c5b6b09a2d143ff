import type { Store } from '../../../base/store/store.js'
import type { Document } from '../../page/document.js'

/** A crawl whose documents are delivered. */
export interface DeliveringJob {
  readonly id: string
  readonly snapshots: Store
  /** True when documents are delivered until they are acknowledged. */
  readonly acknowledges: boolean
  /** True once a loop over the documents was begun. */
  wasRead(): boolean
  /** True when its pages are reported. */
  isReported(): boolean
}

/** Record of the documents that were delivered: a later crawl need not give them again. */
export interface Deliveries {
  /** Adds a document that was acknowledged, or after which a loop has asked for the next one. */
  add(document: Document): void
  /** Adds documents that listeners, readers of results and features that keep them were given. */
  addGiven(documents: readonly Document[]): void
  /** Adds the page of a report that was delivered. @param key of its row */
  addReported(key: string): void
  /** Stores what was added. Never rejects. @param isWhole true when a loop has come to its end: it had all that was left */
  settle(isWhole?: boolean): Promise<void>
}
