import { Session, type Profiler } from 'node:inspector/promises'
import { createEngine } from 'trawl'
import type { Task } from '../speed/measure.js'

/** Processor time of a crawl by purpose. */
export interface CrawlShares {
  readonly pages: number
  /** Time in which the thread was not idle, in milliseconds. */
  readonly busyMs: number
  /** The part of it that discovery took, by subject. */
  readonly partMs: Readonly<Record<string, number>>
}

/**
 * Subjects of discovery by the files of their functions: everything that a crawl does and a batch of the same URLs does
 * not, and reading links, which a batch does too. The job loop and politeness, which both have, are not included.
 */
const parts: readonly (readonly [name: string, files: RegExp])[] = [
  ['links', /\/dist\/extract\/links\.js$/],
  [
    'fingerprints',
    /\/dist\/digest\/(?:similarity|phrase-reader|tokens|ordered-hash|int-set|int-sample|date-words|take-majority)\.js$/,
  ],
  ['robots and sitemaps', /\/dist\/(?:frontier\/(?:robots|sitemap|read-sitemap|gunzip)[^/]*|job\/crawl-sitemaps)\.js$/],
  [
    'similarity of pages',
    /\/dist\/(?:frontier\/(?:near-duplicates|novelty|repeat-cost|recent-int-set|trap-guard|url-template)|job\/crawl-content)\.js$/,
  ],
  ['scope and ledger', /\/dist\/(?:frontier\/(?!crawlee|frontier|politeness)[^/]*|job\/crawl[^/]*)\.js$/],
]

/** Sums the sampled time by subject: a sample counts for the first subject that a function on its stack belongs to. */
function sort({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Omit<CrawlShares, 'pages'> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const partOf = (id: number): string | undefined => {
    const urls: string[] = []
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) urls.push(frames.get(at)?.url ?? '')
    return parts.find(([, files]) => urls.some((url) => files.test(url)))?.[0]
  }
  const partMs: Record<string, number> = Object.fromEntries(parts.map(([name]) => [name, 0]))
  const known = new Map<number, string | undefined>()
  let busyMs = 0
  for (const [at, id] of samples.entries()) {
    if (frames.get(id)?.functionName === '(idle)') continue
    const ms = Math.max(0, timeDeltas[at] ?? 0) / 1000
    busyMs += ms
    if (!known.has(id)) known.set(id, partOf(id))
    const part = known.get(id)
    if (part !== undefined) partMs[part] = (partMs[part] ?? 0) + ms
  }
  return { busyMs, partMs }
}

const { start, concurrency: maxConcurrency } = JSON.parse(process.argv[2] ?? '{}') as Task
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.start')
// Without worker threads, one profile covers the whole crawl.
await using engine = createEngine({ allowPrivateNetworks: true, maxConcurrency, cache: false, threads: 0 })
let pages = 0
for await (const _ of engine.crawl({ url: start, crawlEntireDomain: true, maxConcurrency })) pages += 1
const { profile } = await session.post('Profiler.stop')
const shares: CrawlShares = { pages, ...sort(profile) }
process.send?.(shares)
