import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CrawlRequest } from 'trawl'
import type { PostgresServer } from '../../test/base/store/postgres-server.js'
import type { CrawlEnd } from './machine.js'
import { type Machine, startMachine, WORKER_PLACES } from './machines.js'

/** What is ended: a process with `kill -9`, or the server with an immediate stop. */
export type Victim = 'owner' | 'worker' | 'reader' | 'server'

/** An end of a process or of the server. */
export interface KillEvent {
  readonly victim: Victim
  readonly atMs: number
}

/** A crawl whose processes are killed. */
export interface KillTask {
  readonly server: PostgresServer
  readonly schema: string
  readonly request: CrawlRequest
  readonly workers: number
  /** File of the reader, which gets a line for each document. */
  readonly file: string
  /** The next victim, and the number of documents to wait for before; undefined when there are enough. */
  next(): { readonly victim: Victim; readonly progress: number; readonly laterMs: number } | undefined
  /** Called right before a kill. */
  onKill(victim: Victim): void
}

/** What a crawl has given, and what was killed meanwhile. */
export interface KilledCrawl {
  readonly end: CrawlEnd
  /** Lines of the reader. */
  readonly lines: readonly string[]
  readonly events: readonly KillEvent[]
}

/** A crawl without progress for longer counts as stuck. Milliseconds. */
const MAX_SILENCE_MS = 120_000
const POLL_MS = 20

const linesOf = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []

/** Runs a crawl with an owner, workers and a reader in processes of their own, which are killed and started again. */
export async function killCrawl({
  server,
  schema,
  request,
  workers,
  file,
  next,
  onKill,
}: KillTask): Promise<KilledCrawl> {
  const place = { connectionString: server.url(), schema }
  const start = {
    owner: () => startMachine(place, { role: 'owner', request, lists: false }),
    worker: () => startMachine(place, { role: 'worker', concurrency: WORKER_PLACES }),
    reader: () => startMachine(place, { role: 'reader', request, file }),
  }
  let owner = start.owner()
  await owner.ready
  const workerList = Array.from({ length: workers }, start.worker)
  let reader = start.reader()
  const done = { isRead: false }
  const watch = (one: Machine): void => void one.end.then((message) => (done.isRead ||= message === 'read'))
  watch(reader)
  await Promise.all([reader, ...workerList].map(({ ready }) => ready))

  const awaitLines = async (count: number): Promise<void> => {
    let [last, sinceMs] = [-1, performance.now()]
    for (;;) {
      const { length } = linesOf(file)
      if (done.isRead || length >= count) return
      if (length > last) [last, sinceMs] = [length, performance.now()]
      if (performance.now() - sinceMs > MAX_SILENCE_MS)
        throw new Error(`no progress after ${length} documents, in ${schema}`)
      await sleep(POLL_MS)
    }
  }
  const replace = async (victim: Victim): Promise<void> => {
    if (victim === 'server') {
      await server.crash()
      await server.start()
    } else if (victim === 'owner') {
      await owner.kill()
      owner = start.owner()
      await owner.ready
    } else if (victim === 'reader') {
      await reader.kill()
      reader = start.reader()
      watch(reader)
      await reader.ready
    } else {
      // The one that works longest.
      await workerList.shift()?.kill()
      const worker = start.worker()
      workerList.push(worker)
      await worker.ready
    }
  }
  const events: KillEvent[] = []
  try {
    for (let due = next(); due && !done.isRead; due = next()) {
      await awaitLines(linesOf(file).length + due.progress)
      if (done.isRead) break
      await sleep(due.laterMs)
      events.push({ victim: due.victim, atMs: performance.now() })
      onKill(due.victim)
      await replace(due.victim)
    }
    await awaitLines(Infinity)
    const end = await owner.end
    if (end === undefined || end === 'read') throw new Error('the owner has ended without a result')
    return { end, lines: linesOf(file), events }
  } finally {
    await Promise.all([owner, reader, ...workerList].map((one) => one.kill()))
  }
}
