import { setTimeout as sleep } from 'node:timers/promises'
import { createEngine, postgres } from 'trawl'

/** A job of another engine, to be watched. */
export interface WatchTask {
  readonly connectionString: string
  readonly schema: string
  readonly id: string
  /** URL that the job has found. */
  readonly url: string
}

/** Durations of each call so far, in the order of the calls. Milliseconds. */
export interface WatchTimes {
  readonly listJobs: readonly number[]
  readonly status: readonly number[]
  readonly explain: readonly number[]
}

/** Time between two rounds of calls. Milliseconds. */
const PAUSE_MS = 500

const { connectionString, schema, id, url } = JSON.parse(process.argv[2] ?? '{}') as WatchTask
const engine = createEngine({ ledger: postgres({ connectionString, schema }) })
const job = await engine.job(id)
if (!job) throw new Error(`there is no job ${id}`)
const times: { [Call in keyof WatchTimes]: number[] } = { listJobs: [], status: [], explain: [] }

async function measure(name: keyof WatchTimes, call: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  await call()
  times[name].push(performance.now() - startedAt)
}

// Any message of the parent asks for the times so far.
process.on('message', () => process.send?.(times))
process.on('disconnect', () => process.exit())
// The first calls connect.
await Promise.all([engine.listJobs({ limit: 20 }), job.status({ limit: 0 }), job.explain(url)])
for (;;) {
  await measure('listJobs', () => engine.listJobs({ limit: 20 }))
  await measure('status', () => job.status({ limit: 0 }))
  await measure('explain', () => job.explain(url))
  await sleep(PAUSE_MS)
}
