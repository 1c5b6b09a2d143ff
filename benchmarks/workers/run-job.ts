import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresServer } from '../../test/base/store/postgres-server.js'
import { firstMessage, startScript } from '../run-side.js'
import { cpuOf, pin, serverPid } from './processes.js'
import type { OwnerEnd, OwnerMark, OwnerMessage, OwnerTask } from './run-owner.js'
import type { SlowSite } from './serve-slowly.js'

/** State of all processes when a number of documents has been read. */
export interface Sample extends OwnerMark {
  /** Processor time of all workers. Seconds. */
  readonly workerSeconds: number
  readonly serverSeconds: number
  readonly siteSeconds: number
}

/** Cost of a page, in milliseconds of processor time, and the speed. */
export interface PageCost {
  readonly pagesPerSecond: number
  readonly owner: number
  /** Part of `owner` that the main thread was busy. */
  readonly main: number
  readonly worker: number
  readonly server: number
  readonly site: number
}

export interface JobRun {
  readonly samples: readonly Sample[]
  readonly end: OwnerEnd
}

/** Processes of a run. */
export interface RunParts {
  readonly server: PostgresServer
  readonly schema: string
  readonly site: Site
  readonly workers: readonly ChildProcess[]
}

interface RunOptions extends Pick<OwnerTask, 'start' | 'pages' | 'rows' | 'every'> {
  /** Gives the engine that runs the job one processor, and the other processes another one. @default false */
  readonly isPinned?: boolean
  /** Flags of Node for the engine that runs the job. @default none */
  readonly execArgv?: readonly string[]
  /** Called with the id of the job when it has begun. */
  onStart?(id: string): void
  /** Called with each sample. */
  onSample?(sample: Sample): void
}

/** A site in a process of its own. */
export interface Site {
  readonly child: ChildProcess
  readonly origin: string
}

export async function startSite(site: SlowSite): Promise<Site> {
  const child = startScript(new URL('serve-slowly.js', import.meta.url), [JSON.stringify(site)])
  return { child, origin: await firstMessage<string>(child) }
}

/** Starts workers, and waits until others see them. @param script of the worker */
export async function startWorkers(
  script: string,
  count: number,
  { server, schema, ...task }: { server: PostgresServer; schema: string; places: number; invents?: boolean },
): Promise<ChildProcess[]> {
  const argument = JSON.stringify({ connectionString: server.url(), schema, ...task })
  const workers: ChildProcess[] = []
  for (let at = 0; at < count; at += 1) {
    workers.push(startScript(new URL(script, import.meta.url), [argument]))
    // One after another: the first one makes the schema.
    while ((await countWorkers(server, schema)) <= at) await sleep(100)
  }
  return workers
}

async function countWorkers(server: PostgresServer, schema: string): Promise<number> {
  try {
    const [row] = await server.query(`SELECT count(*)::integer AS workers FROM "${schema}".workers`)
    return Number(row?.['workers'])
  } catch {
    // The schema is not made yet.
    return 0
  }
}

const pidOf = (child: ChildProcess): number => child.pid ?? 0

/** Runs a job by an engine in a process of its own. */
export async function runJob(parts: RunParts, options: RunOptions): Promise<JobRun> {
  const { server, schema, site, workers } = parts
  const { start, pages, rows, every, isPinned, execArgv = [] } = options
  const task: OwnerTask = { connectionString: server.url(), schema, start, pages, every, ...(rows && { rows }) }
  const owner = startScript(new URL('run-owner.js', import.meta.url), [JSON.stringify(task)], execArgv)
  if (isPinned) {
    pin(pidOf(owner), 0)
    for (const other of [serverPid(server.folder), pidOf(site.child), ...workers.map(pidOf)]) pin(other, 1)
  }
  const samples: Sample[] = []
  const end = new Promise<OwnerEnd>((resolve, reject) => {
    owner.on('message', (message: OwnerMessage) => {
      if ('id' in message) options.onStart?.(message.id)
      else if ('end' in message) resolve(message.end)
      else {
        const sample: Sample = {
          ...message.mark,
          workerSeconds: workers.reduce((sum, worker) => sum + cpuOf(pidOf(worker)), 0),
          serverSeconds: cpuOf(serverPid(server.folder)),
          siteSeconds: cpuOf(pidOf(site.child)),
        }
        samples.push(sample)
        options.onSample?.(sample)
      }
    })
    owner.once('exit', (code) => reject(new Error(`the engine of the job has ended with code ${code}`)))
  })
  owner.send('start')
  const ended = await end
  const exited = new Promise((resolve) => owner.once('exit', resolve))
  owner.disconnect()
  await exited
  return { samples, end: ended }
}

/** Returns the cost of a page between two samples. */
export function costBetween(first: Sample | undefined, last: Sample | undefined): PageCost {
  if (!first || !last || first === last) throw new Error('the job is too short to be measured')
  const pages = last.documents - first.documents
  const each = (name: 'cpuSeconds' | 'mainSeconds' | 'workerSeconds' | 'serverSeconds' | 'siteSeconds'): number =>
    ((last[name] - first[name]) * 1000) / pages
  return {
    pagesPerSecond: pages / (last.seconds - first.seconds),
    owner: each('cpuSeconds'),
    main: each('mainSeconds'),
    worker: each('workerSeconds'),
    server: each('serverSeconds'),
    site: each('siteSeconds'),
  }
}
