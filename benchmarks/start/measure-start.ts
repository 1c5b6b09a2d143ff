import { performance } from 'node:perf_hooks'

/** What one process measures. Milliseconds. */
export interface StartTimes {
  /** Loading the library. */
  readonly importMs: number
  /** From `createEngine()` to the first document. */
  readonly firstPageMs: number
  /** `fetch()` of the same page in a process that has fetched nothing yet. */
  readonly firstFetchMs: number
  /** One page after many, each the median of {@link WARM_PAGES}. */
  readonly scrapeMs: number
  readonly fetchMs: number
  readonly parseMs: number
}

/** Pages before the ones that count, until all code is compiled, and those that count. */
const WARM_UP_PAGES = 300
const WARM_PAGES = 300

const [url = '', what = ''] = process.argv.slice(2)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

const fetchPage = async (): Promise<string> => await (await fetch(url)).text()

const middle = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

async function measureLibrary(): Promise<Partial<StartTimes>> {
  const beginMs = performance.now()
  const { createEngine } = await import('trawl')
  const importMs = performance.now() - beginMs
  const startMs = performance.now()
  await using engine = createEngine({ allowPrivateNetworks: true, cache: false })
  await engine.scrape(url)
  const firstPageMs = performance.now() - startMs
  const body = await fetchPage()
  const times = { scrape: [] as number[], fetch: [] as number[], parse: [] as number[] }
  for (let page = 0; page < WARM_UP_PAGES + WARM_PAGES; page += 1) {
    const scrape = await timed(() => engine.scrape(url))
    const fetching = await timed(fetchPage)
    const parse = await timed(() => engine.parse({ url, body }))
    if (page < WARM_UP_PAGES) continue
    times.scrape.push(scrape)
    times.fetch.push(fetching)
    times.parse.push(parse)
  }
  return {
    importMs,
    firstPageMs,
    scrapeMs: middle(times.scrape),
    fetchMs: middle(times.fetch),
    parseMs: middle(times.parse),
  }
}

process.send?.(what === 'fetch' ? { firstFetchMs: await timed(fetchPage) } : await measureLibrary())
