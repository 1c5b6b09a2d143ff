import { isObject } from '../../../base/collections/is-object.js'
import type { PlannedJob } from '../../../kernel/engine/feature.js'
import type { AskedJob } from '../../../kernel/plan/feature-plan.js'
import type { ScrapePlan } from '../../../kernel/plan/scrape-plan.js'
import type { Replay } from '../replay/replay.js'
import { type ArchiveSlice, keyOf, type PageSlice } from './archives.js'
import { type ArchiveTarget, readTarget } from './archive-target.js'

/** Setting of an engine, and option of a job. */
export interface ArchiveSetting {
  /**
   * Writes what is received to an archive: each request and response over HTTP and in the browser, with redirects, robots.txt, sitemaps and
   * failures. `warc(path)` or `wacz(path)`, or a path: one that ends with `.wacz` is a WACZ. Pages of a job are then read from their site,
   * and not from the cache; a single page that comes from it is written as it is held.
   *
   * @default none is written
   * @see docs/guides/archives.md
   */
  archive?: string | ArchiveTarget
}

/** Plans the archive of a job: its own, or that of the engine. @internal */
export function planArchive(page: ScrapePlan, options: AskedJob, config: object): PlannedJob | undefined {
  const given = (options as ArchiveSetting).archive ?? (config as ArchiveSetting).archive
  if (given === undefined) return undefined
  const target = readTarget(given)
  const slice: ArchiveSlice = { target, options: describeOptions(options) }
  const { cache, fetch } = page
  // A page that may only come from the cache is none of the network.
  const read = cache.read && (cache.minAgeMs !== undefined || cache.lockdown === true)
  const key = keyOf(target)
  const pageSlice: PageSlice = { key, isWhole: true }
  const features = { ...page.features, archive: pageSlice }
  return { slice, page: { ...page, features, cache: { ...cache, read }, fetch: { ...fetch, recorder: key } } }
}

/** Plans the archive of a page: that of the engine, or the cassette that it records, which has what came from the network alone. @internal */
export function planPageArchive(config: object): PageSlice | undefined {
  const { archive, ownFetcher } = config as ArchiveSetting & { readonly ownFetcher?: Partial<Replay> }
  if (archive !== undefined) return { key: keyOf(readTarget(archive)), isWhole: true }
  const target = ownFetcher?.target
  return target && { key: keyOf(target), isWhole: false }
}

/** Options whose values are texts that say nothing of who asks. */
const TEXTS: ReadonlySet<string> = new Set([
  'includePaths',
  'excludePaths',
  'sitemap',
  'proxy',
  'formats',
  'onlyMainContent',
])

/** Describes options without what may say who asks: numbers, choices, and the texts of a few options. */
function describeOptions(options: object): Record<string, unknown> {
  const described: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'number' || typeof value === 'boolean') described[name] = value
    else if (TEXTS.has(name)) described[name] = Array.isArray(value) ? value.map(nameOf) : nameOf(value)
    else if (name === 'scrapeOptions' && isObject(value)) described[name] = describeOptions(value)
  }
  return described
}

const nameOf = (value: unknown): unknown => (isObject(value) ? value['type'] : value)
