import type { z } from 'zod'
import { CHANGE_FIELDS, type ChangeField } from '../../content/compare/change-field.js'
import type { SchemaBuilder } from '../../content/convert/format.js'
import { readDuration } from '../../base/text/read-duration.js'
import type { UrlLike } from '../../base/url.js'
import type { CrawlRequest } from '../../kernel/options/crawl-options.js'
import { wholeNumber } from '../../kernel/options/fields/basic-schemas.js'
import type { FormatItem } from '../../kernel/options/fields/formats.js'
import { type Receiver, receiverSchemas } from '../../kernel/options/fields/receiver.js'
import { mustBe } from '../../base/issues/describe-issue.js'
import type { ScrapeOptions } from '../../kernel/options/scrape-options.js'
import type { FeatureOptions, OwnRequest } from '../../kernel/options/option-definition.js'
import { scrapeSchema, scrapeShape } from '../../kernel/options/scrape-schema.js'

/** Events that a watch reports to its webhook. */
export type WatchReportEvent = 'page' | 'check.completed'

/** Receiver of a watch's reports. A URL is short for `{ url }`. */
export interface WatchWebhook extends Receiver {
  /**
   * Events that are reported: `page`, for each page that is not `same`; `check.completed`, at the end of each check.
   * @default both
   */
  events?: readonly WatchReportEvent[]
}

/** Options of a crawl that a watch decides itself. */
const OWN_CRAWL_OPTIONS = [
  'scrapeOptions',
  'webhook',
  'zeroDataRetention',
  'retain',
  'since',
  'tag',
  'goal',
  'until',
] as const

/** Options of pages that a watch decides itself, beside `formats`. */
const OWN_PAGE_OPTIONS = ['maxAge', 'minAge', 'lockdown'] as const

/** A crawl that a watch repeats: the options of `engine.crawl()` without those that the watch decides. */
export type WatchedCrawl = Omit<CrawlRequest, (typeof OWN_CRAWL_OPTIONS)[number]>

/** Pages to watch: one, several, or those that a crawl finds. */
export type WatchTarget = { url: UrlLike } | { urls: Iterable<UrlLike> } | { crawl: WatchedCrawl }

/**
 * Watches pages for changes.
 *
 * @example
 * const watch = await engine.watch({
 *   name: 'prices',
 *   targets: [{ url: 'https://example.com/product' }],
 *   every: '6h',
 * })
 */
export interface WatchRequest {
  /** Name that identifies the watch in its ledger, 1 to 100 characters. */
  name: string
  /** Pages to watch, 1 to 1000 targets. */
  targets: readonly WatchTarget[]
  /**
   * Interval of the checks, from a second to 366 days: whole milliseconds, or a number with `s`, `m`, `h`, `d` or `w`: `'15m'`. `'auto'`
   * learns the interval of each page, and of each crawl, from how often it has changed. One of `every` and `cron` is needed.
   */
  every?: number | string
  /** Shortest interval with `every: 'auto'`, written as `every`. @default '1h' */
  minEvery?: number | string
  /** Longest interval with `every: 'auto'`. @default '7d' */
  maxEvery?: number | string
  /** Times of the checks: five fields, or six with seconds: `'0 9 * * 1-5'`. */
  cron?: string
  /** Time zone of `cron`, such as `'Europe/Berlin'`. @default 'UTC' */
  timeZone?: string
  /**
   * Maximum delay after the times of `cron`, so that watches do not all start at once; the delay follows from the name.
   * Written as `every`, at most 366 days; 0 for none. @default '1m'
   */
  spread?: number | string
  /**
   * Formats of the documents in the results; `markdown` is added. It is compared, and so is the data of `product`, `menu`, `json` and the
   * rows of `list`. @default ['markdown']
   */
  formats?: readonly FormatItem[]
  /** Options of scraping the pages. The cache is not read. @default {} */
  scrapeOptions?: Omit<ScrapeOptions, 'formats' | (typeof OWN_PAGE_OPTIONS)[number]>
  /**
   * Changes to watch for, in words, at most 2000 characters. If the engine has a `model`, it decides where the rules
   * are in doubt.
   */
  goal?: string
  /** Kinds of changes that are meaningful. A page that is found, moved, removed, or back is so in any case. @default all of them */
  fields?: readonly ChangeField[]
  /** Receiver of reports: see `docs/guides/watch.md`. */
  webhook?: UrlLike | WatchWebhook
  /** Number of results that are kept, 1 to 1000000. Those that are `same` are deleted first, then the oldest. @default 1000 */
  keepResults?: number
  /** Results that have their `document`: those whose page is new, changed or moved, or also those that are `same`. @default 'changed' */
  documents?: 'changed' | 'all'
}

/** Defaults of a watch. @internal */
export const watchDefaults = {
  minEvery: 3_600_000,
  maxEvery: 7 * 86_400_000,
  timeZone: 'UTC',
  spread: 60_000,
  keepResults: 1000,
} as const

/** Shortest interval. Milliseconds. */
const MIN_INTERVAL_MS = 1000
/** Longest interval, and longest delay: 366 days. Milliseconds. */
const MAX_INTERVAL_MS = 366 * 86_400_000

/** Watch whose shape is checked: its URLs are strings. */
export interface ParsedWatch extends Omit<WatchRequest, 'targets' | 'webhook'> {
  /** Each has one of the three. */
  targets: readonly { url?: string; urls?: readonly string[]; crawl?: Readonly<Record<string, unknown>> }[]
  webhook?: string | (Omit<WatchWebhook, 'url'> & { url: string })
}

const targetNames = ['url', 'urls', 'crawl'] as const

/** Names of all options of a {@link WatchRequest}. */
const watchNames = Object.keys({
  name: 1,
  targets: 1,
  every: 1,
  minEvery: 1,
  maxEvery: 1,
  cron: 1,
  timeZone: 1,
  spread: 1,
  formats: 1,
  scrapeOptions: 1,
  goal: 1,
  fields: 1,
  webhook: 1,
  keepResults: 1,
  documents: 1,
} satisfies Record<keyof WatchRequest, 1>)

const isDecided = 'is decided by the watch'
const decidedHints = Object.fromEntries([...OWN_CRAWL_OPTIONS, ...OWN_PAGE_OPTIONS].map((name) => [name, isDecided]))

/** Options of a watch, and those of its targets, for messages. @internal */
export const watchRequests: readonly OwnRequest[] = [
  {
    call: 'engine.watch()',
    names: watchNames,
    places: { page: '`scrapeOptions`', crawl: 'the crawl of a target: `targets: [{ crawl: { url, … } }]`' },
    hints: {
      ...decidedHints,
      url: 'belongs in a target: `targets: [{ url }]`',
      urls: 'belongs in a target: `targets: [{ urls }]`',
      crawl: 'belongs in a target: `targets: [{ crawl: { url, … } }]`',
      interval: 'is `every`',
      schedule: 'is `every`, or `cron` with `timeZone`',
    },
  },
  {
    call: 'engine.watch()',
    names: targetNames,
    places: { page: '`scrapeOptions` of the watch, beside `targets`', crawl: 'the crawl: `{ crawl: { url, … } }`' },
    hints: {
      ...decidedHints,
      ...Object.fromEntries(watchNames.map((name) => [name, 'is an option of the watch, beside `targets`'])),
    },
  },
]

/** Creates the schema of a {@link WatchRequest}. Its pages and crawls are checked as batches and crawls are. @internal */
export function watchSchema(z: SchemaBuilder, more?: FeatureOptions) {
  const interval = (min: number) =>
    z.union([z.number(), z.string()]).refine(
      (value) => {
        const ms = toMilliseconds(value) ?? -1
        return Number.isInteger(ms) && ms >= min && ms <= MAX_INTERVAL_MS
      },
      mustBe(`whole milliseconds, at least ${min}, or a number with s, m, h, d or w, such as '15m'; at most 366 days`),
    )
  const receiver = receiverSchemas(z)
  const webhook = z.strictObject({
    ...receiver.fields,
    events: z.array(z.enum(['page', 'check.completed'])).optional(),
  })
  const page = scrapeSchema(z, more)
  return z
    .strictObject({
      name: z.string().min(1).max(100),
      targets: z
        .array(
          z
            .strictObject({
              url: z.string().optional(),
              urls: z.array(z.string()).min(1).optional(),
              crawl: z.record(z.string(), z.unknown()).optional(),
            })
            .refine((target) => targetNames.filter((name) => target[name] !== undefined).length === 1, {
              message: 'one of `url`, `urls` and `crawl` is needed, and no second one',
            }),
        )
        .min(1)
        .max(1000),
      every: z.union([z.literal('auto'), interval(MIN_INTERVAL_MS)]).optional(),
      minEvery: interval(MIN_INTERVAL_MS).optional(),
      maxEvery: interval(MIN_INTERVAL_MS).optional(),
      cron: z
        .string()
        .min(1)
        .max(200)
        .refine(hasCronFields, mustBe("five fields, or six with seconds, such as '0 9 * * 1-5'"))
        .optional(),
      timeZone: z.string().refine(isTimeZone, "not a time zone, such as 'Europe/Berlin'").optional(),
      spread: interval(0).optional(),
      formats: scrapeShape(z, more).formats,
      scrapeOptions: page.optional(),
      goal: z.string().min(1).max(2000).optional(),
      fields: z.array(z.enum(CHANGE_FIELDS)).min(1).optional(),
      webhook: z.union([receiver.url, webhook]).optional(),
      keepResults: wholeNumber(z, 'results', 1).max(1_000_000).optional(),
      documents: z.enum(['changed', 'all']).optional(),
    })
    .check(z.superRefine(refuseSchedule), z.superRefine(refuseOwnOptions))
}

type Issues = z.core.$RefinementCtx

/** Refuses schedules that contradict themselves. */
function refuseSchedule(watch: Omit<ParsedWatch, 'targets'>, context: Issues): void {
  const { every, cron } = watch
  const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message })
  if (every === undefined && cron === undefined) refuse('every', 'one of `every` and `cron` is needed')
  if (every !== undefined && cron !== undefined) refuse('cron', 'not together with `every`: leave one of them out')
  for (const name of ['timeZone', 'spread'] as const)
    if (watch[name] !== undefined && cron === undefined) refuse(name, 'only with `cron`')
  for (const name of ['minEvery', 'maxEvery'] as const)
    if (watch[name] !== undefined && every !== 'auto') refuse(name, "only with `every: 'auto'`")
  const [min, max] = [watch.minEvery ?? watchDefaults.minEvery, watch.maxEvery ?? watchDefaults.maxEvery]
  if (every === 'auto' && (toMilliseconds(min) ?? 0) > (toMilliseconds(max) ?? 0))
    refuse('maxEvery', 'shorter than `minEvery`')
}

/** Refuses options of pages and crawls that the watch decides itself. */
function refuseOwnOptions({ targets, scrapeOptions = {} }: ParsedWatch, context: Issues): void {
  const refuse = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message })
  for (const name of ['formats', ...OWN_PAGE_OPTIONS])
    if (name in scrapeOptions) refuse(['scrapeOptions', name], 'decided by the watch')
  for (const [index, target] of targets.entries())
    if (target.crawl)
      for (const name of OWN_CRAWL_OPTIONS)
        if (name in target.crawl) refuse(['targets', index, 'crawl', name], 'decided by the watch')
}

/** Milliseconds of an interval; undefined for a text that is none. @internal */
export const toMilliseconds = (value: number | string): number | undefined =>
  typeof value === 'number' ? value : readDuration(value)

/** True for five or six fields; what is in them is read with the timetable. */
const hasCronFields = (pattern: string): boolean => [5, 6].includes(pattern.trim().split(/\s+/).length)

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
