import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PostgresServer } from '../../test/base/store/postgres-server.js'
import { median } from '../speed/print-table.js'
import { costBetween, type PageCost, runJob, startSite, startWorkers } from './run-job.js'

/** Pages at once of a worker. */
const PLACES = 8
/** Parts of a job that are marked. The first six and the last one are not measured: code becomes fast, places become free. */
const PARTS = 20
const [FIRST_PART, LAST_PART] = [6, 19]

export interface ScalingOptions {
  readonly server: PostgresServer
  /** Folder for the list of URLs. */
  readonly folder: string
  /** Names the pages. */
  readonly name: string
  /** The paths of the pages. */
  readonly paths: readonly string[]
  /** Folder of the site's pages below `/doc/`. */
  readonly docs?: string
  readonly latencyMs: number
  readonly workers: readonly number[]
  readonly rounds: number
  /** Pages for each worker. */
  readonly pages: number
}

/** Measures the speed of a batch with several numbers of workers, by turns. @returns a table */
export async function measureScaling(options: ScalingOptions): Promise<string> {
  const { name, latencyMs, workers, rounds } = options
  const costs = new Map<number, PageCost[]>(workers.map((count) => [count, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const count of round % 2 === 0 ? workers : workers.toReversed()) {
      const cost = await measureOne(options, count, `${name} ${round} ${count}`)
      costs.get(count)?.push(cost)
      console.log(`${name}, round ${round + 1}, ${count} workers: ${JSON.stringify(cost)}`)
    }
  }
  const first = costs.get(workers[0] ?? 1) ?? []
  const rows = workers.map((count) => {
    const own = costs.get(count) ?? []
    const middle = (read: (cost: PageCost) => number): number => median(own.map(read))
    const ratios = own.map(({ pagesPerSecond }, round) => pagesPerSecond / (first[round]?.pagesPerSecond ?? NaN))
    const cores = middle((cost) => (sumOf(cost) * cost.pagesPerSecond) / 1000)
    const parts = (['owner', 'worker', 'server', 'site'] as const).map((part) =>
      middle((cost) => cost[part]).toFixed(2),
    )
    const possible = ((count * PLACES + 1) * 1000) / latencyMs
    const speed = middle((cost) => cost.pagesPerSecond)
    return `| ${[count, count * PLACES + 1, possible.toFixed(0), speed.toFixed(0), `× ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`, ...parts, cores.toFixed(2)].join(' | ')} |`
  })
  return [
    `${name}, a site that answers after ${latencyMs} ms, ${PLACES} pages at once for each worker and one in the engine that runs the job:`,
    '',
    '| workers | pages at once | pages/s by the latency alone | pages/s | relative to the first line | owner, ms/page | workers, ms/page | server, ms/page | site, ms/page | cores in use |',
    '| ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n')
}

const sumOf = ({ owner, worker, server, site }: PageCost): number => owner + worker + server + site

async function measureOne(options: ScalingOptions, count: number, schema: string): Promise<PageCost> {
  const { server, folder, paths, docs, latencyMs, pages } = options
  const site = await startSite({ pages: paths.length, latencyMs, ...(docs === undefined ? {} : { folder: docs }) })
  const workers = await startWorkers('run-worker.js', count, { server, schema, places: PLACES })
  const file = join(folder, 'urls.json')
  const wanted = Math.min(paths.length, count * pages)
  writeFileSync(file, JSON.stringify(paths.slice(0, wanted).map((path) => `${site.origin}${path}`)))
  try {
    const every = Math.floor(wanted / PARTS)
    const { samples } = await runJob({ server, schema, site, workers }, { start: { file }, pages: wanted, every })
    return costBetween(samples[FIRST_PART - 1], samples[LAST_PART - 1])
  } finally {
    for (const child of [...workers, site.child]) child.kill()
    await server.query(`DROP SCHEMA "${schema}" CASCADE`)
  }
}
