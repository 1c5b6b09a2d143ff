import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** One call of a host process to its engine. */
export interface HostCall {
  readonly name: string
  readonly url: string
  readonly kind: 'scrape' | 'crawl'
  readonly timeoutMs: number
}

/** The figures of one {@link HostCall}. */
export interface HostResult {
  readonly name: string
  /** Longest time that the main thread worked between two turns of its timer. Milliseconds of processor time. */
  readonly heldMs: number
  /** From the call to its end. Milliseconds. */
  readonly tookMs: number
  /** `ok`, the code of the error, the status of the job; `never` where the process had to be killed. */
  readonly outcome: string
}

/**
 * The host: an engine as it comes, whose main thread notes how much processor time passed between turns of a timer. Ordinary
 * pages come first, so that loading and compiling code is not counted.
 *
 * Before Node 23.9 a thread can only ask the kernel, which counts in ticks of 10 ms.
 */
const host = `
  import { readFileSync } from 'node:fs'
  import { createInterface } from 'node:readline'
  import { createEngine } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)}
  const mainThreadMs = process.threadCpuUsage
    ? () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000 }
    : () => {
        const fields = readFileSync('/proc/thread-self/stat', 'latin1').split(') ')[1].split(' ')
        return (Number(fields[11]) + Number(fields[12])) * 10
      }
  let last = mainThreadMs()
  let held = 0
  setInterval(() => {
    const now = mainThreadMs()
    held = Math.max(held, now - last)
    last = now
  }, 5).unref()
  const { engineOptions, formats, warmUp } = JSON.parse(process.argv[1])
  const engine = createEngine({ allowPrivateNetworks: true, cache: false, retry: { maxRetries: 0 }, ...engineOptions })
  const run = async ({ kind, url, timeoutMs }) => {
    if (kind === 'scrape') return await engine.scrape(url, { formats, timeout: timeoutMs }).then(() => 'ok', (error) => error.code ?? error.name)
    const job = engine.crawl({ url, limit: 40, scrapeOptions: { timeout: timeoutMs } })
    const { status } = await job.finished()
    return status
  }
  for (const call of warmUp) {
    for (let turn = 0; turn < 3; turn += 1) {
      const outcome = await run(call)
      if (!['ok', 'completed'].includes(outcome)) throw new Error('an ordinary page ended as ' + outcome)
    }
  }
  process.stdout.write('ready\\n')
  for await (const line of createInterface({ input: process.stdin })) {
    const call = JSON.parse(line)
    await new Promise((resolve) => setTimeout(resolve, 30))
    held = 0
    const start = performance.now()
    const outcome = await run(call)
    await new Promise((resolve) => setTimeout(resolve, 30))
    process.stdout.write(JSON.stringify({ name: call.name, heldMs: held, tookMs: performance.now() - start - 30, outcome }) + '\\n')
  }
  await engine.close()`

interface HostSettings {
  readonly engineOptions: object
  readonly formats: readonly unknown[]
  /** Calls that are made before the first that counts. */
  readonly warmUp: readonly HostCall[]
}

/** Time after a page's own limit, or for a whole crawl, after which the process is taken to hang. Milliseconds. */
const PATIENCE_MS = { scrape: 20_000, crawl: 180_000 }

/**
 * Makes calls one after another in a process of their own, and starts another one where a call does not end.
 *
 * @param onResult called after each, for progress
 */
export async function runHost(
  calls: readonly HostCall[],
  settings: HostSettings,
  onResult: (result: HostResult) => void = () => undefined,
): Promise<HostResult[]> {
  const results: HostResult[] = []
  while (results.length < calls.length) {
    await runUntilHung(calls.slice(results.length), settings, (result) => {
      results.push(result)
      onResult(result)
    })
  }
  return results
}

async function runUntilHung(
  calls: readonly HostCall[],
  settings: HostSettings,
  onResult: (result: HostResult) => void,
): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', host, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (limitMs: number): Promise<string | undefined> => {
    const clock = setTimeout(() => child.kill('SIGKILL'), limitMs)
    const { value, done } = await lines.next()
    clearTimeout(clock)
    return done ? undefined : value
  }
  if ((await next(120_000)) !== 'ready') throw new Error('the host process did not get through ordinary pages')
  for (const call of calls) {
    const start = performance.now()
    child.stdin.write(`${JSON.stringify(call)}\n`)
    const line = await next(call.timeoutMs + PATIENCE_MS[call.kind])
    if (line === undefined) {
      const tookMs = performance.now() - start
      onResult({ name: call.name, heldMs: Infinity, tookMs, outcome: 'never' })
      return
    }
    onResult(JSON.parse(line) as HostResult)
  }
  child.stdin.end()
  await new Promise((resolve) => child.once('exit', resolve))
}
