import type { ChangeField } from '../../content/compare/change-field.js'
import { CHANGE_FIELDS } from '../../content/compare/change-field.js'
import type { CheckedWatch } from './check-watch.js'
import { crawlDefaults } from '../../kernel/options/crawl-options.js'
import { toMilliseconds, watchDefaults, type WatchReportEvent } from './watch-options.js'

/** Times of a watch's checks. */
type WatchSchedule =
  | { readonly kind: 'every'; readonly everyMs: number }
  | { readonly kind: 'auto'; readonly minMs: number; readonly maxMs: number }
  | { readonly kind: 'cron'; readonly pattern: string; readonly timeZone: string; readonly spreadMs: number }

/** Receiver of the reports of a watch. */
export interface WatchReceiver {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, string>>
  readonly events: readonly WatchReportEvent[]
}

/** Plan of a watch. */
export interface WatchPlan {
  readonly name: string
  readonly schedule: WatchSchedule
  /** The pages of all targets but crawls. */
  readonly urls: readonly string[]
  /** Options of the batches that scrape pages. */
  readonly pageOptions: Readonly<Record<string, unknown>>
  /** Requests of the crawls. */
  readonly crawls: readonly Readonly<Record<string, unknown>>[]
  readonly goal: string | undefined
  readonly fields: readonly ChangeField[]
  readonly webhook: WatchReceiver | undefined
  readonly keepResults: number
  /** Names of the formats whose data is compared. */
  readonly data: readonly string[]
  /** True if results that are `same` have their document. */
  readonly hasAllDocuments: boolean
}

/** Plans a checked watch. */
export function planWatch({ watch, urls, pageOptions, crawls, data }: CheckedWatch): WatchPlan {
  const { name, goal, fields = CHANGE_FIELDS, keepResults = watchDefaults.keepResults, documents } = watch
  return {
    name,
    schedule: planSchedule(watch),
    urls,
    pageOptions,
    crawls,
    goal,
    fields,
    webhook: planReceiver(watch),
    keepResults,
    data,
    hasAllDocuments: documents === 'all',
  }
}

function planSchedule({ every, cron, ...watch }: CheckedWatch['watch']): WatchSchedule {
  if (cron !== undefined) {
    const { timeZone = watchDefaults.timeZone, spread = watchDefaults.spread } = watch
    return { kind: 'cron', pattern: cron, timeZone, spreadMs: toMilliseconds(spread) ?? 0 }
  }
  if (every !== 'auto') return { kind: 'every', everyMs: toMilliseconds(every ?? 0) ?? 0 }
  const { minEvery = watchDefaults.minEvery, maxEvery = watchDefaults.maxEvery } = watch
  return { kind: 'auto', minMs: toMilliseconds(minEvery) ?? 0, maxMs: toMilliseconds(maxEvery) ?? 0 }
}

function planReceiver({ webhook }: CheckedWatch['watch']): WatchReceiver | undefined {
  if (webhook === undefined) return undefined
  const { url, headers = {}, metadata = {}, events } = typeof webhook === 'string' ? { url: webhook } : webhook
  return { url, headers, metadata, events: events ?? ['page', 'check.completed'] }
}

/** Maximum number of pages of a crawl, and of the pages of its past that one check asks for. */
export const crawlLimit = ({ limit }: WatchPlan['crawls'][number]): number =>
  typeof limit === 'number' ? limit : crawlDefaults.limit
