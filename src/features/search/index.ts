import { defineFeature } from '../../kernel/engine/feature.js'
import { hasMethods } from '../../kernel/options/engine/value-tests.js'
import { optionalBoolean } from '../../kernel/options/fields/basic-schemas.js'
import { mustBe } from '../../base/issues/describe-issue.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import type { Answer } from './answer.js'
import { planIndex } from './index-pages.js'
import { openSearch } from './open-search.js'
import type { SearchHit, SearchIndex } from './search-index.js'
import type { AskOptions, SearchOptions } from './search-options.js'

export type { Answer, AnswerQuote, FoundAnswer, NoAnswer } from './answer.js'
export type {
  ChunkToEmbed,
  ChunkVector,
  ChunkVectors,
  EmbeddingTurn,
  IndexQuery,
  PageToIndex,
  SearchFilter,
  SearchHit,
  SearchIndex,
  VectorSpace,
} from './search-index.js'
export type { AskOptions, SearchOptions } from './search-options.js'

/** Setting of the search index. */
export interface SearchConfig {
  /**
   * Indexes the pages of jobs for `job.search()` and `engine.search()`; a job's own `index` comes first. `true` keeps the index
   * beside the file of an `sqlite(…)` ledger, and otherwise in a temporary file that ends with the process; a path, or
   * `index(path)`, keeps it in that file. Needs Node 22.13 or later, or the package `libsql`.
   * @default false
   */
  index?: boolean | string | SearchIndex
}

/** Option of jobs whose pages are searched. */
export interface IndexOptions {
  /**
   * Index the chunks of the pages, for `job.search()` and `engine.search()`. Refused with `zeroDataRetention`. Not in the
   * interface.
   * @default the engine's `index`; false with `zeroDataRetention`
   */
  index?: boolean
}

/** Calls that search the pages of all jobs. */
export interface SearchCalls {
  /**
   * Finds chunks of the pages that jobs of this engine have indexed, best first. Of each page the newest version is searched;
   * a page that a later crawl with `since` no longer found is left out.
   *
   * @param query words or a question, in any language. It has no syntax
   * @throws InvalidRequestError; TrawlError `BAD_REQUEST` when the engine has no index; `SEARCH_ERROR`; `ENGINE_CLOSED`
   * @see docs/guides/search.md
   * @example
   * const engine = createEngine({ index: true })
   * await engine.crawl({ url: 'https://docs.example.com' }).finished()
   * for (const { text, link } of await engine.search('How do I cancel?', { limit: 3 })) console.log(link, text)
   */
  search(query: string, options?: SearchOptions): Promise<readonly SearchHit[]>
  /**
   * Answers a question from the pages that `search()` finds, with quotes that stand there word for word: see
   * {@link JobSearch.ask}. The engine's `budget` holds for each question.
   *
   * @throws as {@link JobSearch.ask}; TrawlError `ENGINE_CLOSED`
   */
  ask(question: string, options?: AskOptions): Promise<Answer>
}

declare module '../../kernel/options/feature-options.js' {
  interface FeatureConfig extends SearchConfig {}
  interface FeatureJobOptions extends IndexOptions {}
}

declare module '../../kernel/engine/engine-surface.js' {
  interface FeatureCalls extends SearchCalls {}
}

declare module '../../kernel/job/job-hooks.js' {
  interface FeatureJobCalls extends JobSearch {}
}

const isIndex = hasMethods('begin', 'put', 'has', 'keys', 'keepOnly', 'end', 'search', 'forgetExpired', 'close')

/** The index of crawled pages, which is searched, and answers questions. @internal */
export const search = defineFeature({
  name: 'search',
  options: {
    engine: {
      index: {
        schema: (z) =>
          z
            .union([
              z.boolean(),
              z.string().min(1),
              z.custom<SearchIndex>(isIndex, mustBe('true, false, the path of a file, or `index(file)`')),
            ])
            .optional(),
        default: false,
        help: 'File of the search index, for trawl search FILE. Default: none',
      },
    } satisfies OptionDefinitions<SearchConfig>,
    job: {
      index: {
        schema: optionalBoolean,
        // The setting of the engine has a flag.
        help: false,
        stores: 'true stores the text of the pages',
      },
    } satisfies OptionDefinitions<IndexOptions>,
  },
  planJob: planIndex,
  extendEngine: openSearch,
})

/** Searches in the pages of a job. */
export interface JobSearch {
  /**
   * Finds chunks of the job's pages, best first, also while it runs. The job must be indexed: see `index` of its request and of
   * the engine.
   *
   * @param query words or a question, in any language. It has no syntax
   * @throws InvalidRequestError; TrawlError `BAD_REQUEST` when the index of this engine does not have the job; `SEARCH_ERROR`
   * @see docs/guides/search.md
   */
  search(query: string, options?: SearchOptions): Promise<readonly SearchHit[]>
  /**
   * Answers a question from the job's pages with the engine's `model`, which is given the chunks that `search()` finds. Every quote is
   * checked: it stands word for word in a chunk. An answer without such a quote is none. The job's `budget` holds.
   *
   * @param question 1 to 10,000 characters
   * @param options chunks that the model is given; `limit` is 8 unless it is given, and fewer are sent when they exceed
   *   `modelOptions.contextTokens`
   * @throws InvalidRequestError; TrawlError `BAD_REQUEST` without a model, and as `search()`; ModelError when the model gives no
   *   answer, and when the `budget` is used up
   */
  ask(question: string, options?: AskOptions): Promise<Answer>
}
