import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, type Engine, type EngineConfig, type Watch, type WatchCheck } from '../../../src/index.js'
import { htmlPage, sendPage } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

export const paragraph = (text: string): string =>
  `<title>Page</title><main><h1>Page</h1><p>${text}</p><p>This paragraph is the same in each version of the page.</p></main>`

export const links = (paths: readonly string[]): string =>
  paragraph(paths.map((path) => `<a href="${path}">${path}</a>`).join(' '))

/** A site whose pages a test changes, with engines that watch it and a clock of their own. */
export class WatchSite implements AsyncDisposable {
  /** Texts by path; a path without a text is gone. */
  readonly pages = new Map<string, string>()
  readonly #engines: Engine[] = []
  nowMs = Date.UTC(2026, 0, 5)
  /** What a request waits for before it is answered. */
  gate: Promise<unknown> = Promise.resolve()

  private constructor(
    readonly folder: string,
    readonly site: Site,
    pages: Map<string, string>,
  ) {
    this.pages = pages
  }

  static async start(): Promise<WatchSite> {
    const pages = new Map<string, string>()
    let made: WatchSite | undefined
    const answer = async (exchange: Parameters<typeof sendPage>[0]): Promise<void> => {
      const text = pages.get(new URL(exchange.request.url ?? '/', 'http://site').pathname)
      await made?.gate
      if (text === undefined) return sendPage(exchange, htmlPage('gone'), 404)
      return text === '500' ? sendPage(exchange, htmlPage('broken'), 500) : sendPage(exchange, text)
    }
    const paths = ['/', '/robots.txt', ...'abcdefgh'.split('').map((name) => `/${name}`)]
    const site = await startSite({ pages: Object.fromEntries(paths.map((path) => [path, answer])) })
    made = new WatchSite(await mkdtemp(join(tmpdir(), 'trawl-test-')), site, pages)
    return made
  }

  open(config: EngineConfig = {}): Engine {
    const engine = createEngine({
      allowPrivateNetworks: true,
      threads: 0,
      fetcher: 'http',
      cache: false,
      now: () => this.nowMs,
      retry: { maxRetries: 0 },
      ...config,
    })
    this.#engines.push(engine)
    return engine
  }

  file(name: string): string {
    return join(this.folder, name)
  }

  urls(...paths: string[]): { urls: string[] }[] {
    return [{ urls: paths.map((path) => this.site.url(path)) }]
  }

  /** Answers no request until the function that it returns is called. */
  hold(): () => void {
    let release: () => void = () => undefined
    this.gate = new Promise<void>((resolve) => (release = resolve))
    return release
  }

  /** Number of requests for a path. */
  asked(path: string): number {
    return this.site.requests.filter((request) => request.path === path).length
  }

  /** Lets time pass, and waits for the check that becomes due. */
  async pass(watch: Watch, ms: number): Promise<WatchCheck> {
    const checked = nextCheck(watch)
    this.nowMs += ms
    return await checked
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#engines.map((engine) => engine.close({ drain: false })))
    await this.site.close()
    await rm(this.folder, { recursive: true })
  }
}

export const nextCheck = (watch: Watch): Promise<WatchCheck> =>
  new Promise((resolve) => {
    const listen = (check: WatchCheck): void => {
      watch.off('check', listen)
      resolve(check)
    }
    watch.on('check', listen)
  })

/** Statuses of a check's results by path. */
export const statusesOf = async (watch: Watch, check: number): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await watch.results({ limit: 1000 }))
      .filter((result) => result.check === check)
      .map(({ url, status }) => [new URL(url).pathname, status]),
  )
