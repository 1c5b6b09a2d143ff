import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { CrawlRequest, EngineConfig } from 'trawl'
import { startScript } from '../run-side.js'
import { documentationFolders } from '../sites/site-folders.js'
import type { CrawlEnd, MachinePlace, MachineTask } from './machine.js'

/** Sites by name: Debian's packages `openjdk-17-doc`, `rust-doc`, `python3.11-doc` and `postgresql-doc-15`. */
export const sites: Readonly<Record<string, string>> = {
  ...documentationFolders,
  postgresql: '/usr/share/doc/postgresql-doc-15/html',
}

/** Pages at once of each worker. */
export const WORKER_PLACES = 4
/** Requests at once to the site, of all processes. */
export const MAX_PER_SITE = 12

/** Settings of the engines. Most pages are for workers, where there are any. */
export const settings: EngineConfig = {
  allowPrivateNetworks: true,
  threads: 0,
  fetcher: 'http',
  cache: false,
  maxConcurrency: 2,
  maxConcurrencyPerSite: MAX_PER_SITE,
}

/** Timeout of a page, which a busy machine does not reach: a page that fails is tried again later, so that the order of pages is another. */
const TIMEOUT_MS = 300_000

/** The crawl of a site. */
export const requestOf = (origin: string, limit: number): CrawlRequest => ({
  url: `${origin}/docs/index.html`,
  limit,
  sitemap: 'skip',
  scrapeOptions: { timeout: TIMEOUT_MS },
})

/** A process of a benchmark. */
export interface Machine {
  /** Resolves when it has begun, or ended. */
  readonly ready: Promise<unknown>
  /** Resolves with its last message; undefined for one that was killed before. */
  readonly end: Promise<CrawlEnd | 'read' | undefined>
  kill(): Promise<void>
}

type MachineRole<Task = MachineTask> = Task extends MachineTask ? Omit<Task, keyof MachinePlace> : never

/** Starts a process. */
export function startMachine(place: Omit<MachinePlace, 'settings'>, role: MachineRole): Machine {
  const task = { ...place, settings, ...role } as MachineTask
  const child: ChildProcess = startScript(new URL('machine.js', import.meta.url), [JSON.stringify(task)])
  const exited = once(child, 'exit')
  const ready = new Promise((resolve) => {
    child.once('message', resolve)
    child.once('exit', resolve)
  })
  const end = new Promise<CrawlEnd | 'read' | undefined>((resolve) => {
    child.on('message', (message: CrawlEnd | 'read' | 'ready') => {
      if (message === 'ready') return
      resolve(message)
      child.disconnect()
    })
    child.once('exit', () => resolve(undefined))
  })
  return {
    ready,
    end,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Numbers from 0 to 1, the same ones for a seed. */
export function draw(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** What one list has and the other has not. */
export function compareLists(
  expected: readonly string[],
  found: readonly string[],
): { missing: string[]; new: string[] } {
  const [before, after] = [new Set(expected), new Set(found)]
  return {
    missing: expected.filter((line) => !after.has(line)),
    new: found.filter((line) => !before.has(line)),
  }
}
