import { createEngine, postgres } from 'trawl'

/** A worker, and its database. */
export interface WorkerTask {
  readonly connectionString: string
  readonly schema: string
  /** Pages at once. */
  readonly places: number
}

const { connectionString, schema, places } = JSON.parse(process.argv[2] ?? '{}') as WorkerTask
const engine = createEngine({
  allowPrivateNetworks: true,
  fetcher: 'http',
  cache: false,
  maxConcurrency: places,
  ledger: postgres({ connectionString, schema }),
})
const worker = await engine.work({ concurrency: places })

// Any message of the parent asks for the number of pages so far.
process.on('message', () => process.send?.(worker.counts().done))
process.on('disconnect', () => process.exit())
