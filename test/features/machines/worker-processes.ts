import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { CrawlRequest, EngineConfig } from '../../../src/index.js'

const built = JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)

/** Code of a process that scrapes pages for others, until it is told to end. */
const worker = (settings: EngineConfig, concurrency: number): string => `
  import { createEngine, postgres } from ${built}
  const [connectionString, schema] = process.argv.slice(1)
  const engine = createEngine({ ...${JSON.stringify(settings)}, ledger: postgres({ connectionString, schema }) })
  const worker = await engine.work({ concurrency: ${concurrency} })
  process.stdout.write('ready\\n')
  process.once('SIGTERM', async () => {
    await engine.close()
    process.stdout.write(JSON.stringify(worker.counts()) + '\\n')
  })`

/** Code of a process that runs a crawl. */
const owner = (settings: EngineConfig, request: CrawlRequest): string => `
  import { createEngine, postgres } from ${built}
  const [connectionString, schema] = process.argv.slice(1)
  const engine = createEngine({ ...${JSON.stringify(settings)}, ledger: postgres({ connectionString, schema }) })
  await engine.crawl(${JSON.stringify(request)}).finished()
  await engine.close()`

/** A process of a test. */
export interface Process {
  readonly child: ChildProcess
  /** Everything that it has written. */
  said(): string
  readonly ended: Promise<unknown>
  kill(signal?: NodeJS.Signals): Promise<void>
}

/** Code that sets the clock of a process to another time. */
const setClock = (aheadMs: number): string => `
  const now = Date.now
  globalThis.Date = class extends Date {
    static now = () => now() + ${aheadMs}
    constructor(...given) {
      super(...(given.length === 0 ? [now() + ${aheadMs}] : given))
    }
  }`

/** @param aheadMs difference of its clock from that of this machine */
function startProcess(code: string, args: readonly string[], aheadMs = 0): Process {
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${setClock(aheadMs)}\n${code}`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (data) => (said += String(data)))
  const ended = once(child, 'close')
  return {
    child,
    said: () => said,
    ended,
    async kill(signal = 'SIGKILL') {
      if (child.exitCode === null) child.kill(signal)
      await ended
    },
  }
}

/** The database of a process, and the difference of its clock from that of this machine. */
interface ProcessPlace {
  readonly connectionString: string
  readonly schema: string
  /** @default 0 */
  readonly aheadMs?: number | undefined
}

/** Starts a process that runs a crawl. */
export const startOwner = (
  settings: EngineConfig,
  request: CrawlRequest,
  { connectionString, schema, aheadMs }: ProcessPlace,
): Process => startProcess(owner(settings, request), [connectionString, schema], aheadMs)

/** Starts a process that works for the engines of a schema, and waits until it does. */
export async function startWorker(
  settings: EngineConfig,
  concurrency: number,
  { connectionString, schema, aheadMs }: ProcessPlace,
): Promise<Process> {
  const started = startProcess(worker(settings, concurrency), [connectionString, schema], aheadMs)
  while (!started.said().includes('ready') && started.child.exitCode === null)
    await once(started.child.stdout ?? started.child, 'data')
  return started
}
