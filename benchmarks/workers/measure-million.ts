import { type ChildProcess } from 'node:child_process'
import type { PostgresServer } from '../../test/base/store/postgres-server.js'
import { median } from '../speed/print-table.js'
import { firstMessage, startScript } from '../run-side.js'
import { memoryOf, serverPid } from './processes.js'
import { costBetween, runJob, type Sample, startSite, startWorkers } from './run-job.js'
import type { WatchTask, WatchTimes } from './watch-job.js'

/** URLs that are found on a page, of which one is refused. */
const FOUND_PER_PAGE = 10
const PLACES = 64

export interface MillionOptions {
  readonly server: PostgresServer
  /** Documents. Ten times as many URLs are found. */
  readonly pages: number
}

/** Crawls a site with ten times as many URLs as documents, by a worker that makes answers up. @returns a report */
export async function measureMillion({ server, pages }: MillionOptions): Promise<string> {
  const schema = 'million'
  const site = await startSite({ pages, latencyMs: 1000 })
  const workers = await startWorkers('answer-pages.js', 1, { server, schema, places: PLACES, invents: true })
  const every = Math.floor(pages / 10)
  const url = `${site.origin}/p/0`
  let watch: ChildProcess | undefined
  const memory: number[] = []
  const { samples, end } = await runJob(
    { server, schema, site, workers },
    {
      start: { url },
      pages,
      rows: pages * FOUND_PER_PAGE,
      every,
      onStart(id) {
        const task: WatchTask = { connectionString: server.url(), schema, id, url: `${site.origin}/p/7` }
        watch = startScript(new URL('watch-job.js', import.meta.url), [JSON.stringify(task)])
      },
      onSample(sample) {
        memory.push(memoryOf(serverPid(server.folder)))
        console.log(`${sample.documents} documents after ${sample.seconds.toFixed(1)} s`)
      },
    },
  )
  const times = watch && (await askTimes(watch))
  const tables = await server.query(
    `SELECT relname AS name, n_live_tup AS rows, pg_table_size(relid) AS bytes, pg_indexes_size(relid) AS indexes
     FROM pg_stat_user_tables WHERE schemaname = '${schema}' ORDER BY bytes DESC`,
  )
  for (const child of [...workers, site.child, ...(watch ? [watch] : [])]) child.kill()
  const found = end.total + end.skipped + end.failed
  const intro = `${end.completed.toLocaleString('en')} documents and ${found.toLocaleString('en')} URLs, of which ${end.skipped.toLocaleString('en')} were refused:`
  return [intro, printTables(tables), printTenths(samples, memory, every), times ? printTimes(times) : ''].join('\n\n')
}

async function askTimes(watch: ChildProcess): Promise<WatchTimes> {
  watch.send('times')
  return firstMessage<WatchTimes>(watch)
}

const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)

function printTables(tables: readonly Readonly<Record<string, unknown>>[]): string {
  const rows = tables
    .filter(({ rows: count }) => Number(count) > 100)
    .map(({ name, rows: count, bytes, indexes }) => {
      const [live, table, index] = [Number(count), Number(bytes), Number(indexes)]
      return `| \`${String(name)}\` | ${live.toLocaleString('en')} | ${mib(table)} | ${mib(index)} | ${((table + index) / live).toFixed(0)} |`
    })
  return [
    '| table | rows | MiB | MiB of its indexes | bytes/row |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n')
}

function printTenths(samples: readonly Sample[], memory: readonly number[], every: number): string {
  const seconds = samples.map((sample, at) => sample.seconds - (samples[at - 1]?.seconds ?? 0))
  const rows = samples.map((sample, at) => {
    const cost = at === 0 ? undefined : costBetween(samples[at - 1], sample)
    const parts = [cost?.pagesPerSecond ?? every / sample.seconds, cost?.owner, cost?.server]
    const figures = parts.map((value, nth) => value?.toFixed(nth === 0 ? 0 : 2) ?? '')
    return `| ${[sample.documents.toLocaleString('en'), (seconds[at] ?? 0).toFixed(1), ...figures, mib(sample.residentBytes), mib(memory[at] ?? 0)].join(' | ')} |`
  })
  const ratio = (seconds.at(-1) ?? NaN) / (seconds[0] ?? NaN)
  return [
    '| documents | seconds for this tenth | pages/s | owner, ms/page | server, ms/page | resident MiB of the owner | MiB of the server |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
    `The last tenth took × ${ratio.toFixed(2)} of the time of the first one.`,
  ].join('\n')
}

const printTimes = (times: WatchTimes): string =>
  [
    '| call from another engine, during the crawl | calls | median, ms | slowest, ms |',
    '| --- | ---: | ---: | ---: |',
    ...Object.entries(times).map(
      ([name, values]: [string, readonly number[]]) =>
        `| \`${name}()\` | ${values.length} | ${median(values).toFixed(1)} | ${Math.max(...values).toFixed(1)} |`,
    ),
  ].join('\n')
