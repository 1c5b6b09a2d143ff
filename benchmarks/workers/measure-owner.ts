import type { PostgresServer } from '../../test/base/store/postgres-server.js'
import { median } from '../speed/print-table.js'
import { costBetween, type PageCost, runJob, type RunParts, startSite, startWorkers } from './run-job.js'

/** Pages at once of the worker that answers at once. */
const PLACES = 96
/** Delay of the site, so that the engine that runs the job scrapes few pages itself. Milliseconds. */
const LATENCY_MS = 1000
/** Crawls in which the worker learns its answers. */
const WARM_UPS = 2

export interface OwnerOptions {
  readonly server: PostgresServer
  readonly name: string
  /** Path of the start page. */
  readonly start: string
  readonly docs?: string
  readonly pages: number
  readonly rounds: number
  /** Flags of Node for the last crawl of the engine, such as `--cpu-prof`. */
  readonly execArgv: readonly string[]
}

interface OwnerCost extends PageCost {
  /** Part of the pages that the engine scraped itself. */
  readonly ownPart: number
  /** Pages that were converted again, for each page. */
  readonly again: number
}

/** Measures what a crawl costs the engine that runs it, with a worker that answers at once. @returns rows of a table */
export async function measureOwner(options: OwnerOptions): Promise<readonly string[]> {
  const { server, name, start, docs, pages, rounds } = options
  const schema = `owner ${name}`
  const site = await startSite({ pages, latencyMs: LATENCY_MS, ...(docs === undefined ? {} : { folder: docs }) })
  const workers = await startWorkers('answer-pages.js', 1, { server, schema, places: PLACES })
  const parts = { server, schema, site, workers }
  const [free, pinned]: [OwnerCost[], OwnerCost[]] = [[], []]
  const url = `${site.origin}${start}`
  for (let at = 0; at < WARM_UPS; at += 1) await crawlOnce(parts, { ...options, url, isPinned: false, execArgv: [] })
  for (let round = 0; round < rounds; round += 1) {
    for (const isPinned of [false, true]) {
      const isLast = round === rounds - 1 && isPinned
      const cost = await crawlOnce(parts, { ...options, url, isPinned, execArgv: isLast ? options.execArgv : [] })
      ;(isPinned ? pinned : free).push(cost)
      console.log(`${name}, round ${round + 1}${isPinned ? ', on one core' : ''}: ${JSON.stringify(cost)}`)
    }
  }
  for (const child of [...workers, site.child]) child.kill()
  await server.query(`DROP SCHEMA "${schema}" CASCADE`)
  return [toRow(name, 'on any core', free), toRow(name, 'on one core', pinned)]
}

async function crawlOnce(
  parts: RunParts,
  { url, pages, isPinned, execArgv }: { url: string; pages: number; isPinned: boolean; execArgv: readonly string[] },
): Promise<OwnerCost> {
  const before = await askCounts(parts)
  const every = Math.floor(pages / 10)
  const { samples, end } = await runJob(parts, { start: { url }, pages, every, isPinned, execArgv })
  const after = await askCounts(parts)
  const [answered, again] = [after.answered - before.answered, after.again - before.again]
  const ownPart = 1 - (answered - again) / end.completed
  return { ...costBetween(samples[1], samples.at(-1)), ownPart, again: again / end.completed }
}

interface Counts {
  readonly answered: number
  readonly again: number
}

const askCounts = ({ workers: [worker] }: RunParts): Promise<Counts> =>
  new Promise((resolve) => {
    worker?.once('message', (counts) => resolve(counts as Counts))
    worker?.send('counts')
  })

function toRow(name: string, where: string, costs: readonly OwnerCost[]): string {
  const middle = (read: (cost: OwnerCost) => number, digits = 2): string => median(costs.map(read)).toFixed(digits)
  return `| ${[
    name,
    where,
    middle((cost) => cost.pagesPerSecond, 0),
    middle((cost) => cost.owner),
    middle((cost) => cost.main),
    middle((cost) => cost.server),
    `${middle((cost) => cost.ownPart * 100, 1)} %`,
    `${middle((cost) => cost.again * 100, 0)} %`,
  ].join(' | ')} |`
}

export const OWNER_HEAD = [
  '| pages | the engine runs | pages/s | its processor time, ms/page | its main thread, ms/page | server, ms/page | scraped by itself | converted again |',
  '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |',
].join('\n')
