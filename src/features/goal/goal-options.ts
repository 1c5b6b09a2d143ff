import type { Embed } from '../../base/llm/embedder.js'
import { compact } from '../../base/collections/compact.js'
import type { OptionSchemas, SchemaBuilder } from '../../content/convert/format.js'
import type { FeatureConfig } from '../../kernel/options/feature-options.js'
import { optionalBoolean, wholeNumber } from '../../kernel/options/fields/basic-schemas.js'
import { mustBe } from '../../base/issues/describe-issue.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import type { AskedJob } from '../../kernel/plan/feature-plan.js'
import type { ScrapePlan } from '../../kernel/plan/scrape-plan.js'
import type { PlannedJob } from '../../kernel/engine/feature.js'
import type { UntilKnown } from './relevance/goal-progress.js'
import { readingOf } from './reading.js'
import { type GoalTerms, readGoalTerms } from './relevance/goal-words.js'

/**
 * Conditions under which a crawl with a `goal` ends, although URLs are queued. One of `answers` and `gain` is enough.
 *
 * @see docs/guides/goal.md#end-when-enough-is-known
 */
export interface UntilOptions {
  /** Number of pages that answer the goal: those with a relevance of at least 0.5, from 1. @default no limit */
  answers?: number
  /** Expected gain of the next page, above 0 and below 1, below which the crawl ends. @default 0.02 */
  gain?: number
  /** Number of pages that are read before the crawl may end, from 1. @default 10 */
  pages?: number
}

/** Defaults of {@link UntilOptions}. */
const untilDefaults = { gain: 0.02, pages: 10 } as const

/** Creates the schema of {@link UntilOptions}. */
const untilSchema = (z: SchemaBuilder) =>
  z.strictObject({
    answers: wholeNumber(z, 'pages', 1).optional(),
    gain: z.number().gt(0).lt(1).optional(),
    pages: wholeNumber(z, 'pages', 1).optional(),
  } satisfies OptionSchemas<UntilOptions>)

/** Options of a crawl with a goal. */
export interface GoalOptions {
  /**
   * Question to find answers for, or some words, of which the first 22 are used. Words that stand together, or in quotation
   * marks, are looked for as phrases as well. Pages are then crawled in order of promise, not of depth: by the words at the
   * link that leads to a page and on the page with the link, in any language, and by vectors where the engine has `embed`.
   * The order is the same each time. Each row has a `score`, with its parts. `maxConcurrency` is 4 by default, because each
   * page at once is chosen before the last ones are read; the first pages are fetched one by one. Not in the interface.
   *
   * @see docs/guides/goal.md
   */
  goal?: string
  /**
   * Ends a crawl with a `goal` when enough is known. The job is then `completed`, with `stoppedBy: 'known'` in its status, and
   * the URLs still queued are skipped with reason `KNOWN`. Without it, a crawl with a `goal` fetches everything, best pages
   * first. Not in the interface. @default none
   */
  until?: UntilOptions
  /**
   * Asks the site's own search in a crawl with a `goal`: where a page names a search index, as documentation by Sphinx, mdBook,
   * MkDocs, javadoc or rustdoc does, the index is requested once, and its best pages for the goal are crawled first. Where pages declare a
   * search page instead, as shops, wikis and blogs do, it is asked with at most two requests, if robots.txt allows it. Rows of the pages
   * found have `via: 'search'`. Not in the interface. @default true
   *
   * @see docs/guides/goal.md#the-search-index-of-the-site
   */
  siteSearch?: boolean
}

/** Maximum length of a goal. Characters. */
const MAX_GOAL_LENGTH = 2000

const NEEDS_GOAL = { option: 'goal', message: 'needs a `goal`, in words' }

/** Definitions of {@link GoalOptions}. @internal */
export const goalDefinitions = {
  goal: {
    schema: (z) =>
      z
        .string()
        .max(MAX_GOAL_LENGTH)
        .refine((goal) => readGoalTerms(goal).words.length > 0, mustBe('a text with at least one word'))
        .optional(),
    help: 'What to look for, in words: pages that promise it come first. At most 2000 characters. Default: pages in order of depth',
  },
  until: {
    schema: (z) => untilSchema(z).optional(),
    needs: NEEDS_GOAL,
    help: 'End when enough is known for --goal: JSON object with answers, gain (default 0.02), pages (10). Default: none',
  },
  siteSearch: {
    schema: optionalBoolean,
    needs: NEEDS_GOAL,
    default: true,
    help: "Ask the site's own search, an index or a search page, for --goal",
  },
} satisfies OptionDefinitions<GoalOptions>

/** Goal of a crawl. */
export interface GoalPlan {
  /** The goal as the caller wrote it. */
  readonly text: string
  /** Terms of the goal that pages and links are compared with. */
  readonly terms: GoalTerms
  /** Conditions under which enough is known; absent for a crawl that fetches everything. */
  readonly until?: UntilKnown
}

/** Pages at once of a crawl with a goal: each of them is chosen before those leased before it are read. */
const GOAL_CONCURRENCY = 4

/** Plans the goal of a crawl, and when it is reached. @internal */
export function planGoal(
  page: ScrapePlan,
  { goal, until, siteSearch = goalDefinitions.siteSearch.default, sitemap }: AskedJob,
  { embed }: FeatureConfig & { readonly embed?: Embed },
): PlannedJob | undefined {
  if (goal === undefined) return undefined
  const terms: GoalTerms = {
    ...readGoalTerms(goal),
    keepsTexts: embed && true,
    // No request is sent with `lockdown`, and a crawl by sitemap alone finds no other pages.
    findsIndex: (siteSearch && sitemap !== 'only' && page.cache.lockdown !== true) || undefined,
  }
  const slice: GoalPlan = { text: goal, terms, until: until && { ...untilDefaults, ...compact(until) } }
  const { digest } = page
  return {
    slice,
    pagesAtOnce: GOAL_CONCURRENCY,
    page: { ...page, digest: { ...digest, extract: { ...digest.extract, reading: readingOf(terms) } } },
  }
}
