import type { PageDiff } from '../compare/compare.js'
import type { Chunk } from '../convert/split/chunk-markdown.js'
import type { OptionSchemas, SchemaBuilder } from '../convert/format.js'
import type { PaidWork } from '../accounting/credits.js'
import type { EnrichInputs } from '../digest/enrich-inputs.js'
import type { FoundMenu } from '../extract/menu/find-menu.js'
import type { StructuredItem } from '../extract/structured-data/structured-item.js'
import type { Applied } from '../extractor/apply-rule.js'
import type { Extractors } from '../extractor/extractors.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { ModelAnswer } from '../llm/llm.js'
import type { ModelQuestion } from '../llm/model-client.js'
import type { Conversion, MediaBytes } from '../media/ffmpeg.js'
import type { MediaFile } from '../media/media.js'
import type { ExtractedMedia } from '../media/media-extractor.js'
import type { MediaKind } from '../media/media-types.js'
import type { PublishedMedia } from '../media/publish-media.js'

/** What a format may use that is neither the page nor its options. */
export interface EnrichTools {
  /** How the page stands to its last snapshot; undefined when it was not compared. */
  readonly changes: PageChanges | undefined
  /** What the page says, for a model and by itself; undefined when no format asked for it. */
  readonly material: EnrichInputs | undefined
  /** The language model; undefined where there is none. */
  readonly model: PageModel | undefined
  /** What sound and films of the page are had by. */
  readonly media: PageMedia
  /** The page's own tree, for who looks something up in it. */
  readonly tree: PageTree
  /** Puts a file where the caller wants files to be. @throws TrawlError `SCRAPE_MEDIA_NOT_KEPT` for sound or a film alone */
  publish(file: Omit<MediaFile, 'name'>): Promise<PublishedMedia>
}

/** The page's own tree, and what it brings for its scripts: all of it, whatever part is the content. */
export interface PageTree {
  /** What pages of this one's making have in common: the template of its URL. */
  readonly template: string
  /** Extractors that the job has. */
  readonly extractors: Extractors
  /** The mark-up in short, in at most so many characters. */
  sketch(maxCharacters: number): Promise<string>
  /** The product that the page is about, in the data that it brings for its scripts; none where it is not clear. */
  products(): Promise<readonly StructuredItem[]>
  /** The menu that the page shows by how it is laid out; undefined when it clearly shows none. */
  menu(): Promise<FoundMenu | undefined>
  /** What a rule finds, see `readRule`: the same each time. */
  apply(rule: unknown): Promise<Applied>
}

/** The language model, for one page: within its time and its job's budget. */
export interface PageModel {
  /** The most tokens of a page in one request. */
  readonly partTokens: number
  /** Aborted when the model's part of the page's time is up. */
  readonly signal: AbortSignal
  /** @throws ModelError when there is no answer; whatever the page was ended with */
  ask(question: ModelQuestion): Promise<ModelAnswer>
  /** What was remembered under a name, if that may be. */
  recall(name: string): string | undefined
  /** Remembers under a name, for other jobs as well, if that may be. */
  remember(name: string, text: string): void
}

/** What sound and films of one page are had by, within its time. What is thrown when that is over is its signal's reason. */
export interface PageMedia {
  /** Aborts when the page's time is over. */
  readonly signal: AbortSignal
  /** The most that a file may have. */
  readonly maxBytes: number
  /**
   * Downloads a file that the page shows, by the rules that hold for the page; undefined where nothing is to be fetched.
   *
   * @param headers for the host of this URL only
   * @throws TrawlError as a page does that cannot be fetched
   */
  readonly download?: (url: string, headers?: Readonly<Record<string, string>>) => Promise<FetchedPage>
  /** Makes an MP3 of the sound in a file. */
  toMp3(file: MediaBytes): Promise<Conversion>
  /** Asks the host's own extractor; undefined where there is none. @throws TrawlError */
  readonly extract?: (kind: MediaKind) => Promise<ExtractedMedia | undefined>
}

/** How a page stands to its last snapshot. */
export interface PageChanges {
  /** When the snapshot was taken, milliseconds since the epoch; absent when there is none. */
  readonly previousAtMs?: number
  readonly isChanged?: boolean
  /** What differs, when that was asked for. */
  readonly diff?: PageDiff
  /** The page as it was and as it is, when a model is to compare them. */
  readonly texts?: { readonly previous: readonly Chunk[]; readonly current: readonly Chunk[] }
  /** Why nothing is known. */
  readonly warning?: string
}

/** What a format made: its fields, and why there are none of them, or less of them than asked for. */
export interface Enriched<Fields extends object> {
  readonly fields: Partial<Fields>
  /** Sentences. */
  readonly warnings?: readonly (string | undefined)[]
  /** Whether what the format charges for was done. @default false */
  readonly isPaid?: boolean
  /** What was done instead, where that has a price of its own. @default what the format charges for */
  readonly work?: PaidWork
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
  /** The item of `formats`: a type only, never read. */
  readonly takes?: Options
  /** The schemas of what the item may carry beside `type`; absent when it carries nothing. @internal */
  readonly options?: (z: SchemaBuilder) => OptionSchemas<Options>
  /** The fields it fills: a type only, never read. */
  readonly fills?: Fields
  /** The most that it charges for beside the page, by its options; formats with the same work are paid for once. @default nothing */
  charges?(options: Options): PaidWork | undefined
  /** What of the page's own it is made of. @default nothing */
  readonly needs?: FormatNeeds<Options>
  /** Makes the fields of a page. @throws TrawlError when there is no document without them @internal */
  make?(page: FetchedPage, options: Options, tools: EnrichTools): Promise<Enriched<Fields>>
}

/** What a format needs to be made, by its options. */
export interface FormatNeeds<Options> {
  /** The page's text in pieces for a model. */
  text?(options: Options): boolean
  /** What the page says in a form for programs. */
  facts?(options: Options): boolean
  /** What there is to hear and to see on the page, which is then downloaded. */
  media?(options: Options): boolean
  /** A language model: without one the request is refused. */
  model?(options: Options): boolean
}
