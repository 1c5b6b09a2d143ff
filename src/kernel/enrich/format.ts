import type { UnnamedFile } from '../../base/media/media.js'
import type { PageDiff } from '../../content/compare/compare.js'
import type { Chunk } from '../../content/convert/split/chunk-markdown.js'
import type { ZodType } from 'zod'
import type { FormatFacts, SchemaBuilder } from '../../content/convert/format.js'
import type { PaidWork } from '../../base/accounting/credits.js'
import type { Digest } from '../../content/digest/digest.js'
import type { EnrichInputs } from '../../content/digest/enrich-inputs.js'
import type { LearntRules } from './learnt-rules.js'
import type { Capture } from '../fetch/capture.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { PageModel } from '../../base/llm/page-model.js'
import type { PublishedMedia } from '../../base/media/publish-media.js'

/** Everything that a format may use besides the page and its options. */
export interface EnrichTools {
  /** Comparison with the last snapshot; undefined when the page was not compared. */
  readonly changes: PageChanges | undefined
  /** The text and the structured data of the page; undefined when no format asked for them. */
  readonly inputs: EnrichInputs | undefined
  /** The language model; undefined when the engine has none. */
  readonly model: PageModel | undefined
  /** Access to further files of the page. */
  readonly files: PageFiles
  /** Queries on the page's DOM. */
  readonly tree: PageTree
  /** The lists of the page's HTML, the main one first, and what other pages of its job tell to be one; empty when no format asked for them. @internal */
  readonly lists: Digest
  /** Returns the result of the steps of a feature on the page; undefined for none. */
  resultOf(feature: string): unknown
  /** Hands a file to the caller's media sink. @throws TrawlError `SCRAPE_MEDIA_NOT_KEPT`, for audio, video and originals only */
  publish(file: UnnamedFile): Promise<PublishedMedia>
}

/** Tasks of features on the page, and what the pages of its job have learnt. Always the whole page, whatever part is the main content. */
export interface PageTree {
  /** Template of the page's URL; pages with one template usually share a layout. */
  readonly template: string
  /** The rules that formats have learnt on the pages of the page's job. */
  readonly learntRules: LearntRules
  /**
   * Runs a task on the page's tree, which is parsed for it, in a thread if there are any.
   *
   * @param task of `src/features/tasks.ts`, with the name of its feature and a slash before it
   * @param argument plain data
   * @returns its result
   */
  run(task: string, argument?: unknown): Promise<unknown>
  /**
   * Runs a task on the page's bytes, in a thread for a page that is not small.
   *
   * @param task that of a thread, with the name of its feature and a slash before it
   * @param here the same function
   * @returns undefined if it took too much time or memory
   */
  runOnBytes<Result>(task: string, here: (page: FetchedPage) => Result): Promise<Result | undefined>
}

/** Access to further files of one page, within the page's time. After that, `download` throws the reason of `signal`. */
export interface PageFiles {
  /** Aborts when the page's time is over. */
  readonly signal: AbortSignal
  /** Maximum size of one file. */
  readonly maxBytes: number
  /**
   * Downloads a file that the page embeds, under the page's own rules for requests. Undefined when nothing may be
   * fetched.
   *
   * @param headers sent to the host of this URL only
   * @throws TrawlError as for a page that cannot be fetched
   */
  readonly download?: (url: string, headers?: Readonly<Record<string, string>>) => Promise<FetchedPage>
}

/** Comparison of a page with its last snapshot. */
interface PageChanges {
  /** Time of the snapshot, in milliseconds since the epoch; absent when there is none. */
  readonly previousAtMs?: number
  readonly isChanged?: boolean
  /** The diff, when it was asked for. */
  readonly diff?: PageDiff
  /** Both versions of the page, for a comparison by the model. */
  readonly texts?: { readonly previous: readonly Chunk[]; readonly current: readonly Chunk[] }
  /** Reason why there is no comparison. */
  readonly warning?: string
}

/** Facts about a page that a feature compares with those of other pages of its job. Plain data. */
export interface SharedFacts {
  /** Facts that the page has for the others. */
  readonly tells?: unknown
  /** Facts that the others may complete: the document waits for them. */
  readonly asks?: unknown
}

/** Fields that a format produced, with warnings for missing or incomplete ones. */
export interface Enriched<Fields extends object> {
  readonly fields: Partial<Fields>
  /** Sentences. */
  readonly warnings?: readonly (string | undefined)[]
  /** True when the work that the format charges for was done. @default false */
  readonly isPaid?: boolean
  /** Facts for a `PageLearner` of its feature. @default none @internal */
  readonly shared?: SharedFacts
  /** Work to charge instead, when a cheaper one was enough. @default the format's `charges` */
  readonly work?: PaidWork
}

/**
 * An output format that needs more than the page: a browser, a model, the last snapshot or another download.
 *
 * Features add them.
 */
export interface EnrichFormat<
  Options extends { type: string },
  Fields extends object,
  V1 extends string = never,
> extends FormatFacts<Options, V1> {
  /** Type of the fields that it fills; never read at run time. */
  readonly fills?: Fields
  /**
   * The most expensive work that it may charge for besides the page, by its options. Formats with the same work are
   * charged once.
   *
   * @default nothing
   */
  charges?(options: Options): PaidWork | undefined
  /** Properties that planning and the checks of a request depend on. @default none */
  readonly traits?: readonly FormatTrait[]
  /** Data that it needs of a page in a browser; see `readCapture`. @default none: any fetcher will do @internal */
  readonly capture?: Capture<Options, object, unknown>
  /** Inputs that it needs. @default none */
  readonly needs?: FormatNeeds<Options>
  /** Page options of version 1 that have its options, by its names there. @default none @internal */
  readonly versionOneOptions?: Readonly<Partial<Record<V1, VersionOneOption>>>
  /**
   * Produces the fields for a page.
   *
   * @param opened what `openFormats` of its feature has opened for the engine
   * @throws TrawlError when there can be no document without them
   * @internal
   */
  produce(page: FetchedPage, options: Options, tools: EnrichTools, opened: unknown): Promise<Enriched<Fields>>
}

/** Page option of version 1 that has the options of a format, which is only a name there. @internal */
export interface VersionOneOption {
  /** Its name. Its type is merged into `FeatureV1Options`. */
  readonly name: string
  readonly schema: (z: SchemaBuilder) => ZodType
  /** Set if the format cannot do without it. In a request without the format it then causes a warning. */
  readonly isNeeded?: true
  /** Converts its value to options of the format. @default as they are */
  convert?(given: object): object
}

/** A format with any options. */
export type AnyEnrichFormat = EnrichFormat<{ type: string }, object, string>

/** Formats that features add. A feature adds its own by declaration merging, so that their types go when its folder goes. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureFormats {}

/**
 * Property of a format:
 * - `file`: published through the engine's `media` sink
 * - `fresh`: describes the page as it is now, so it is never answered from the cache
 * - `alone`: must be the only format of a request
 * - `once`: cannot be given twice, not even without options
 * - `raw`: has the file as received, which need not be parsed for it
 * - `original`: has the page itself if it is a file, of any type: what cannot be read is a page without content, and a crawl follows links to it
 * - `data`: fills the field of its name with data of the page, which a watch compares
 */
export type FormatTrait = 'file' | 'fresh' | 'alone' | 'once' | 'raw' | 'original' | 'data'

/** The lists of a page that a format needs. */
export interface NeededLists {
  /** True if a feature reads the main list to its end, over further pages, for which the page has more time. */
  readonly isWhole: boolean
  /** True for each list of the page, and not only the main one. */
  readonly isEach: boolean
  /** Maximum number of rows of a list. @default 10,000 */
  readonly most?: number
}

/** The comparison with the last snapshot that a format needs. */
export interface NeededSnapshot {
  /** Name of a separate series of snapshots. */
  readonly tag: string | null
  /** The diff is needed. */
  readonly diff: boolean
  /** Both versions of the text are needed, in chunks for a model. */
  readonly texts: boolean
}

/** Inputs that a format needs, by its options. */
interface FormatNeeds<Options> {
  /** The text of the page, in chunks for a model. */
  text?(options: Options): boolean
  /** The structured data of the page. */
  facts?(options: Options): boolean
  /** The list of audio and video files of the page. */
  media?(options: Options): boolean
  /** A language model: without one the request is refused. `optional`: it is asked where the engine has one. */
  model?(options: Options): boolean | 'optional'
  /** The lists of the page. */
  lists?(options: Options): NeededLists
  /** The comparison with the last snapshot. It needs the text of the page in the same request. */
  snapshot?(options: Options): NeededSnapshot
}
