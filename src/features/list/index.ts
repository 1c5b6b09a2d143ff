import type { AnswerOf } from '../../base/json-schema/answer-schema.js'
import { TrawlError } from '../../base/errors.js'
import { MAX_ROWS, type ListRow } from '../../content/extract/list/page-list.js'
import { defineFeature, type PlannedJob } from '../../kernel/engine/feature.js'
import type { List } from './row-list.js'
import type { CalledJob } from '../../kernel/job/job-hooks.js'
import { itemType } from '../../kernel/options/fields/formats.js'
import type { ScrapeOptions } from '../../kernel/options/scrape-options.js'
import type { ScrapePlan } from '../../kernel/plan/scrape-plan.js'
import { ListLearner } from './learn/list-learner.js'
import { list as format } from './list.js'
import { readItems } from './read-items.js'
import type { ListStep, WholeList, WholeListPlan } from './whole/list-ending.js'

export type { ListFormat } from './list.js'

declare module '../../kernel/enrich/format.js' {
  interface FeatureFormats {
    list: typeof format
  }
}

/** Type of a row that conforms to a schema; one of unknown values where the schema does not tell. */
type RowOf<Schema> = unknown extends AnswerOf<Schema> ? Record<string, unknown> : AnswerOf<Schema>

/** Lists with rows in the shape of a schema. */
interface ListsOf<Schema> {
  list: List<RowOf<Schema>>
  lists?: List<RowOf<Schema>>[]
}

declare module '../../kernel/page/document.js' {
  interface SchemaFields<Schema> {
    list: ListsOf<Schema>
  }
}

declare module '../../kernel/ledger/ledger.js' {
  interface FeatureAttempt {
    /** Steps of reading the list of the page to its end; of more than 100, the first 50 and the last 50. */
    readonly list?: readonly ListStep[]
  }
}

declare module '../../kernel/job/job-hooks.js' {
  interface FeatureJobCalls extends JobItems {}
}

/** Plans the reading of a page's list to its end. */
function planWholeList({ formats = [] }: ScrapeOptions): WholeListPlan | undefined {
  const item = formats.find((one) => itemType(one) === format.type)
  if (typeof item !== 'object' || item.type !== format.type || !item.all) return undefined
  return { maxRows: item.most ?? MAX_ROWS }
}

/** Plans the comparison of the lists on the pages of a job. */
function planLearning({ digest, ...page }: ScrapePlan): PlannedJob | undefined {
  const { extract } = digest
  const list = extract.list && { ...extract.list, learns: true }
  return list && { slice: true, page: { ...page, digest: { ...digest, extract: { ...extract, list } } } }
}

/** Opens the rows of a job. @throws TrawlError `BAD_REQUEST` where its pages have no lists */
function openItems(job: CalledJob): ReturnType<JobItems['items']> {
  if (job.sliceOf('list') === undefined) {
    const message = `job ${job.id} has no rows: \`items()\` needs \`list\` among the \`formats\` of its pages`
    throw new TrawlError('BAD_REQUEST', message)
  }
  return readItems(job[Symbol.asyncIterator]())
}

/** Number of steps that are kept of the beginning and of the end of a list. */
const MAX_STEPS = 50

const shorten = (steps: readonly ListStep[]): readonly ListStep[] =>
  steps.length > 2 * MAX_STEPS ? [...steps.slice(0, MAX_STEPS), ...steps.slice(-MAX_STEPS)] : steps

/** Lists of pages, as rows, and with `all` those of their further pages. @internal */
export const list = defineFeature<WholeListPlan, WholeList>({
  name: 'list',
  formats: [format],
  asksSite: true,
  plan: planWholeList,
  planJob: planLearning,
  extendEngine: () => ({
    job: () => ({ openLearner: () => new ListLearner() }),
    jobCalls: {
      items() {
        return openItems(this)
      },
    },
  }),
  open: async (engine) => (await import('./whole/read-whole-list.js')).openWholeLists(engine),
  attempt: ({ steps }) => ({ list: shorten(steps) }),
  // The data of a page and the answers that it has recorded cost no request.
  document: ({ steps }) => ({
    furtherPages: steps.filter(({ how, wasRecorded }) => how !== 'data' && wasRecorded !== true).length,
  }),
})

/** Reads the rows of the lists on a job's pages. */
export interface JobItems {
  /**
   * Iterates over the rows of the main lists of all pages, with format `list`: pages in the order in which they finish, rows in
   * that of their list. It reads the documents as a loop over the job does: a slow reader slows the job down, the loop throws when
   * the job failed, and the job continues when the loop is left.
   *
   * Each row comes once. A row is known by its URL and title, where most rows of its page have a URL of their own (field
   * `url`, or else the first field of type `url` with "url" in its name), and by all of its values otherwise. If one page has
   * several rows with the same URL and title, such as the variants of a product, these are known by their texts and numbers. Each
   * loop remembers the last 1,000,000 different rows at least, in 96 MiB of memory at most.
   *
   * With `acknowledge`, a page is acknowledged when the loop asks for the row after its last one.
   *
   * @example
   * const job = engine.crawl({ url: 'https://example.com/shop', scrapeOptions: { formats: ['list'] } })
   * for await (const { title, price } of job.items()) console.log(title, price)
   *
   * @throws TrawlError `BAD_REQUEST` when the `formats` of the job have no `list`
   * @see docs/guides/lists.md
   */
  items(): AsyncIterableIterator<ListRow>
}
