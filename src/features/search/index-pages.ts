import { compact } from '../../base/collections/compact.js'
import { messageOf } from '../../base/errors.js'
import { isText, TEXT_FORMAT } from '../../content/convert/convert.js'
import type { PlannedJob } from '../../kernel/engine/feature.js'
import type { JobHooks, JobView } from '../../kernel/job/job-hooks.js'
import type { LedgerRow } from '../../kernel/ledger/ledger.js'
import type { FeatureConfig } from '../../kernel/options/feature-options.js'
import type { JobOptions } from '../../kernel/options/job-options.js'
import type { Document } from '../../kernel/page/document.js'
import type { ScrapePlan } from '../../kernel/plan/scrape-plan.js'
import type { ChunkEmbedding } from './chunk-embedding.js'
import type { PageToIndex, SearchIndex } from './search-index.js'

/** Indexing of a job's pages. */
interface IndexSlice {
  /** True where Markdown is made for the index alone, because the request does not ask for it. */
  readonly hidesMarkdown: boolean
}

/** Plans the indexing of a job's pages: they are indexed by their Markdown. */
export function planIndex(
  page: ScrapePlan,
  { index }: JobOptions,
  { index: setting = false }: FeatureConfig,
): PlannedJob | undefined {
  if (!(index ?? setting !== false) || page.zeroDataRetention) return undefined
  const { digest } = page
  const { formats } = digest.convert
  if (formats.some(isText)) return { slice: { hidesMarkdown: false } satisfies IndexSlice }
  const convert = { ...digest.convert, formats: [...formats, { type: TEXT_FORMAT }] }
  const slice: IndexSlice = { hidesMarkdown: true }
  return { slice, page: { ...page, digest: { ...digest, convert } } }
}

/** Parts of an engine that the pages of its jobs are indexed with. */
interface IndexTools {
  readonly index: SearchIndex
  /** Undefined where searches go by words alone. */
  readonly embedding: ChunkEmbedding | undefined
  now(): number
}

/**
 * Indexes the pages of a job. The index has every page that the ledger has, also after a crash. When it fails, the job continues with a
 * warning.
 */
export function indexJob(job: JobView<IndexSlice>, { index, embedding, now }: IndexTools): JobHooks {
  const { id } = job
  const attempt = async <Result>(act: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await act()
    } catch (error) {
      job.warn(`Some pages are not indexed: ${messageOf(error)}.`)
      return undefined
    }
  }
  return {
    // It can be searched at once, and also if none of its pages is indexed: the index answers its calls in their order.
    begin: () => void attempt(() => index.begin(id)),
    // Pages that are in the index only were under way when that process died, and are scraped again.
    restore: (rows) =>
      attempt(async () => {
        const done = rows.filter(({ outcome }) => outcome === 'done').map(({ key }) => key)
        const isKnown = (await index.keys(id)) !== undefined
        await index.begin(id)
        if (isKnown) await index.keepOnly(id, done)
        else if (done.length > 0)
          job.warn('Pages that an earlier process scraped are not in the search index of this engine.')
      }),
    // A page that is not in the index is read again, also when it has not changed; with an index that fails, by the next job.
    mayReuse: async ({ key }) => (await attempt(() => index.has(key, now()))) ?? true,
    keepsPages: true,
    async ended(row, ending) {
      if (ending.outcome !== 'done') return undefined
      const [document] = ending.documents
      const page = document && describePage(row, document)
      if (page) {
        await attempt(() => index.put(id, page))
        embedding?.wake(id)
      }
      return job.slice.hidesMarkdown ? { ...ending, documents: ending.documents.map(withoutMarkdown) } : undefined
    },
    async finish(signal) {
      for (const warning of (await embedding?.finish(id, signal)) ?? []) job.warn(warning)
    },
    async conclude({ completed, expiresAtMs }) {
      embedding?.stop(id)
      await attempt(async () => {
        // A crawl that has come to its limit knows nothing about the other pages.
        const isWhole = completed !== undefined && !(await completed.counts()).skippedByReason.LIMIT
        await index.end(id, expiresAtMs, isWhole ? job.previousJobId : undefined)
      })
    },
  }
}

function withoutMarkdown(document: Document): Document {
  const { markdown: _, ...others } = document
  return others
}

/** Describes a page for the index; undefined for an error page, which says nothing about its URL. */
function describePage({ key }: LedgerRow, { markdown, metadata }: Document): PageToIndex | undefined {
  const { url, statusCode, title, language, modifiedTime, publishedTime } = metadata
  if (statusCode === 404 || statusCode === 410) return { key, url, state: 'gone' }
  if (statusCode >= 400) return undefined
  // An unchanged page was not read.
  if (markdown === undefined) return { key, url, state: 'same' }
  const date = firstText(modifiedTime, publishedTime)
  return compact({
    key,
    url,
    state: 'read' as const,
    markdown,
    title: typeof title === 'string' ? title : undefined,
    date,
    language: typeof language === 'string' ? language : undefined,
  })
}

const firstText = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '')
