import type { FeatureCode } from '../../src/content/digest/digest-part.js'
import { digestParts, digestRewriters } from '../../src/features/digest-parts.js'
import { features } from '../../src/features/index.js'
import { featureTasks } from '../../src/features/tasks.js'
import { openEngine } from '../../src/kernel/engine/create-engine.js'
import type { Engine } from '../../src/kernel/engine/engine-surface.js'
import { FeatureSet } from '../../src/kernel/engine/feature-set.js'

/** A crawl to measure. */
export interface SideCrawl {
  /** True with the features that look at pages behind a login. */
  readonly isWhole: boolean
  /** True for requests with a `Cookie` header. */
  readonly hasCookie: boolean
  /** Number of pages. */
  readonly limit: number
}

/** Features that look at pages behind a login. */
const LOOKING: ReadonlySet<string> = new Set(['login', 'unsafe-links'])

const code: FeatureCode = {
  tasks: async () => featureTasks,
  parts: async () => digestParts,
  rewriters: async () => digestRewriters,
}

const open = (isWhole: boolean): Engine =>
  openEngine(
    { allowPrivateNetworks: true, fetcher: 'http', cache: false },
    new FeatureSet(features.filter(({ name }) => isWhole || !LOOKING.has(name))),
    code,
  )

const [without, whole] = [open(false), open(true)]
const url = process.argv[2] ?? ''

/** Crawls some pages. @returns the processor time of all threads of the process. Seconds */
async function crawl({ isWhole, hasCookie, limit }: SideCrawl): Promise<number> {
  const rules = { sitemap: 'skip', ignoreRobotsTxt: true, crawlEntireDomain: true, retain: false } as const
  const scrapeOptions = hasCookie ? { headers: { Cookie: 'session=1' } } : {}
  // The garbage of earlier crawls is none of this one's.
  globalThis.gc?.()
  const before = process.cpuUsage()
  const { completed } = await (isWhole ? whole : without).crawl({ url, limit, scrapeOptions, ...rules }).finished()
  globalThis.gc?.()
  const { user, system } = process.cpuUsage(before)
  if (completed !== limit) throw new Error(`${completed} of ${limit} pages`)
  return (user + system) / 1e6
}

process.on('message', (given: SideCrawl) => void crawl(given).then((seconds) => process.send?.(seconds)))
// Exits when the parent process has ended.
process.on('disconnect', () => process.exit())
process.send?.('ready')
