import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine, type EngineConfig } from '../../../src/index.js'
import { startSite, type Site } from '../../site/site.js'

/** A function of this package on the stack of a page's request. */
interface Frame {
  readonly name: string
  readonly file: string
  /** True where it has awaited the function above it, and for the one that runs. */
  readonly awaits: boolean
}

/** Reads the functions of `src/` from the stack of calls, the innermost first. */
function captureFrames(): Frame[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.stackTraceLimit = 200
  Error.prepareStackTrace = (_error, sites) => sites
  const { stack: sites } = new Error('the stack of here') as unknown as { stack: NodeJS.CallSite[] }
  Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  const frames = sites.flatMap((site) => {
    const file = /\/src\/([\w./-]+\.ts)$/.exec(site.getFileName() ?? '')?.[1]
    const name = (site.getFunctionName() ?? '').replace(/^.*\./, '')
    return file === undefined ? [] : [{ name, file, isAsync: site.isAsync() }]
  })
  // Of the functions that were called, the last is the one that goes on after its last `await`.
  const running = frames.findIndex(({ isAsync }) => isAsync) - 1
  return frames.map(({ name, file, isAsync }, index) => ({ name, file, awaits: isAsync || index === running }))
}

let site: Site
let engine: Engine

afterEach(async () => {
  await engine.close()
  await site.close()
})

/** Crawls a page, and captures the stack at which its request is handed to the HTTP library. */
async function captureRoute(config: EngineConfig): Promise<Frame[]> {
  site = await startSite({ pages: { '/': '<title>Start</title><main><p>Some words.</p></main>' } })
  engine = createEngine({ allowPrivateNetworks: true, threads: 0, ...config })
  const stacks: Frame[][] = []
  const capture = (message: unknown): void => {
    const { request } = message as { request: { path: string } }
    if (request.path === '/') stacks.push(captureFrames())
  }
  subscribe('undici:request:create', capture)
  try {
    await engine.crawl({ url: site.url('/'), sitemap: 'skip', limit: 1 }).finished()
  } finally {
    unsubscribe('undici:request:create', capture)
  }
  const [frames = []] = stacks
  return frames.slice(0, frames.findIndex(({ file }) => file === 'kernel/job/run/job-loop.ts') + 1)
}

describe('the route of a page from the job loop to the socket', () => {
  const cases = [
    { name: 'a page that no cache is asked about', config: { cache: false, fetcher: 'http' } },
    { name: 'a page that other callers may share', config: { fetcher: 'http' } },
    { name: 'a page that a browser may have to bring', config: { fetcher: 'auto' } },
  ] as const

  it.each(cases)('passes at most ten functions that await, and no two of one name, for $name', async ({ config }) => {
    const frames = await captureRoute(config)
    expect(frames.at(-1)).toEqual({ name: 'handle', file: 'kernel/job/run/job-loop.ts', awaits: true })
    const names = frames.map(({ name }) => name)
    expect(names).toContain('scrapePage')
    expect(new Set(names).size, names.join(' < ')).toBe(names.length)
    const awaiting = frames.filter(({ awaits }) => awaits).map(({ name }) => name)
    expect(awaiting.length, awaiting.join(' < ')).toBeLessThanOrEqual(10)
  })
})
