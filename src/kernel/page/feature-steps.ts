import type { Extras } from '../../features/enrich/enrich.js'
import type { Document, DocumentMetadata } from './document.js'

/** Results of the steps of features, by the name of the feature. */
export type FeatureResults = ReadonlyMap<string, unknown>

/** State of a document before features add to it. */
export interface MadeDocument {
  /** Fields of the formats that need more than the page. They take precedence over those of features. */
  readonly formats: Extras['fields']
  /** True if the document is made again, without blocks that repeat over pages. */
  readonly isMadeAgain: boolean
}

/** Part of a document that a feature adds. */
export interface DocumentAddition {
  readonly fields?: Partial<Document>
  readonly metadata?: Partial<DocumentMetadata>
  /** True if it brings content, so that nobody warns about a page without any. */
  readonly hasContent?: boolean
}
