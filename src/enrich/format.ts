import type { PageDiff } from '../compare/compare.js'
import type { OptionSchemas, SchemaBuilder } from '../convert/format.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { MediaFile } from '../media/media.js'
import type { PublishedMedia } from '../media/publish-media.js'

/** What a format may use that is neither the page nor its options. */
export interface EnrichTools {
  /** How the page stands to its last snapshot; undefined when it was not compared. */
  readonly changes: PageChanges | undefined
  /** Puts a file where the caller wants files to be; never rejects. */
  publish(file: Omit<MediaFile, 'name'>): Promise<PublishedMedia>
}

/** How a page stands to its last snapshot. */
export interface PageChanges {
  /** When the snapshot was taken, milliseconds since the epoch; absent when there is none. */
  readonly previousAtMs?: number
  readonly isChanged?: boolean
  /** What differs, when that was asked for. */
  readonly diff?: PageDiff
  /** Why nothing is known. */
  readonly warning?: string
}

/** What a format made: its fields, and why there are none of them, or less of them than asked for. */
export interface Enriched<Fields extends object> {
  readonly fields: Partial<Fields>
  /** Sentences. */
  readonly warnings?: readonly (string | undefined)[]
}

/**
 * An output format that needs more than the page: a browser, a model, the last snapshot or another download.
 * Plug-ins of `enrich/formats/` implement this.
 *
 * A format that this version of trawl only knows by name carries its options and no way to make it: asking for it is
 * answered with `NOT_AVAILABLE`.
 */
export interface EnrichFormat<Options extends { type: string }, Fields extends object> {
  readonly type: Options['type']
  /** The schemas of what the item may carry beside `type`; absent when it carries nothing. */
  readonly options?: (z: SchemaBuilder) => OptionSchemas<Options>
  /** The fields it fills: a type only, never read. */
  readonly fills?: Fields
  /** Makes the fields of a page. @throws TrawlError when there is no document without them */
  make?(page: FetchedPage, options: Options, tools: EnrichTools): Promise<Enriched<Fields>>
}
