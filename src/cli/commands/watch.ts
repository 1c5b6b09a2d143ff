import { once } from 'node:events'
import type { Watch, WatchCheck, WatchResult, WatchRequest } from '../../index.js'
import type { Command, Invocation } from '../command.js'
import { exitCodes, strictExitCode } from '../exit-codes.js'
import { commandFlag, onOff, quietCommandFlags, strictFlag, text } from '../flags/command-flags.js'
import type { Flag } from '../flags/flag.js'
import { countItems } from '../output/summary.js'
import { toUsageError } from '../to-usage-error.js'
import { readFile } from 'node:fs/promises'
import { UsageError } from '../usage-error.js'

const watchFlags: readonly Flag[] = [
  commandFlag('ledger', text, 'Path of the SQLite file that keeps the watches with their histories. Default: FILE.db'),
  commandFlag('once', onOff, 'Check each watch at once, and end: for a scheduler of your own. Default: off'),
  commandFlag('all', onOff, 'Print each page of each check, also those without a meaningful change. Default: off'),
  strictFlag(
    'a check, or a page of one, failed before the command was stopped, or a report to a webhook was not delivered; with --once a check ' +
      'that gave no page at all exits with 1 in any case',
  ),
  ...quietCommandFlags,
]

/** Options of the command. */
interface WatchInvocation extends Invocation {
  readonly options: Invocation['options'] & { readonly once?: boolean }
}

/** `trawl watch FILE` watches the pages of a file. */
export const watchCommand: Command = {
  name: 'watch',
  argument: 'FILE',
  summary:
    'Watches the pages of a YAML or JSON file, until it is stopped, and prints each meaningful change. The file has the requests of ' +
    '`engine.watch()`: one, or a list under `watches`. Histories are kept in FILE.db.',
  example: ['trawl watch watches.yaml --json', 'Prints each meaningful change as one line of JSON:'],
  mainFlags: [
    'ledger',
    'once',
    'all',
    'strict',
    'json',
    'quiet',
    'help',
    'fetcher',
    'browser-path',
    'proxies',
    'cache',
    'media',
    'user-agent',
    'webhook-secret',
    'model-url',
    'model',
  ],
  ledgerOf: (file, { ledger = `${file}.db` }) => ledger,
  flags: () => watchFlags,
  run: async ({ argument: file, options, flags, engine, terminal, interrupt }: WatchInvocation) => {
    const requests = await readWatchFile(file)
    const print = async (result: WatchResult): Promise<void> => {
      // A page that failed is no change, and is told beside them.
      if (result.status === 'error' && options.all !== true && !terminal.isJson) report(describeError(result))
      if (options.all === true || result.meaningful)
        await terminal.print(`${options.json === true ? JSON.stringify(result) : describeResult(result)}\n`)
    }
    const report = (line: string): void => {
      if (options.quiet !== true) terminal.report(line)
    }
    let hasFailed = false
    const tellCheck = (name: string, check: WatchCheck): void => {
      hasFailed ||= isFailed(check)
      if (!terminal.isJson) report(describeCheck(name, check))
      else if (options.quiet !== true) terminal.reportJson({ check: { watch: name, ...check } })
    }
    const watches: Watch[] = []
    const printers: WatchPrinter[] = []
    const checks: Promise<WatchCheck>[] = []
    /** Prints what the checks have stored, before the engine closes. */
    const close = async (): Promise<void> => {
      try {
        await Promise.all(printers.map((printer) => printer.end()))
      } finally {
        await engine.close()
      }
    }
    // A later one does not run if an earlier one is refused.
    for (const [index, request] of requests.entries()) {
      const watch = await engine.watch(request).catch((error: unknown) => {
        throw toUsageError(error, flags, (path) => `${file}: watch ${index + 1}: ${path.join('.')}`)
      })
      const { lastSequence, warning } = await watch.status()
      if (warning !== undefined) terminal.report(`${watch.name}: ${warning}`)
      printers.push(new WatchPrinter(watch, lastSequence, print))
      watch.on('check', (check) => tellCheck(watch.name, check))
      watch.on('problem', (error) => {
        hasFailed = true
        terminal.report(`${watch.name}: ${error.message}`)
      })
      watches.push(watch)
      if (options.once !== true) continue
      // Asked for at once, so that the first check of a quick page answers it too.
      const check = watch.check()
      // Awaited below, unless a later watch is refused.
      check.catch(() => undefined)
      checks.push(check)
    }
    if (options.once === true) {
      let ended: readonly WatchCheck[]
      try {
        ended = await Promise.all(checks)
      } finally {
        await close()
      }
      return ended.some(isEmpty) ? exitCodes.failed : strictExitCode(options, hasFailed)
    }
    interrupt.awaitCommand()
    report(`Watching: ${watches.map(({ name }) => name).join(', ')}. SIGTERM or Ctrl-C stops`)
    if (!interrupt.signal.aborted) await once(interrupt.signal, 'abort')
    await close()
    return strictExitCode(options, hasFailed)
  },
}

/** True for a check that gave no page at all. */
const isEmpty = ({ error, summary }: WatchCheck): boolean =>
  summary.error === summary.totalPages && (error !== undefined || summary.totalPages > 0)

const isFailed = ({ error, summary }: WatchCheck): boolean => error !== undefined || summary.error > 0

const describeResult = ({ watch, url, status, reasons, error, warning }: WatchResult): string =>
  [
    `${watch}: ${status} ${url}`,
    ...reasons.map(({ message }) => `  ${message}`),
    ...(error ? [`  ${error}`] : []),
    ...(warning === undefined ? [] : [`  ${warning}`]),
  ].join('\n')

const describeError = ({ watch, url, statusCode, error }: WatchResult): string =>
  `${watch}: error ${url}: ${[statusCode, error].filter(Boolean).join(' ')}`

const describeCheck = (name: string, { number, summary, error, warning }: WatchCheck): string =>
  `${name}: check ${number}: ${countItems(summary.totalPages, 'page')}, ${summary.changed} changed, ${summary.new} new, ` +
  `${summary.removed} removed, ${countItems(summary.error, 'error')}, ${summary.meaningful} meaningful` +
  [error, warning].flatMap((part) => (part === undefined ? [] : [`; ${part}`])).join('')

/**
 * Reads the watches of a YAML or JSON file: one watch, a list, or an object with `watches`. The engine checks them.
 *
 * @throws UsageError if the file cannot be read, has none, or has two of one name
 */
async function readWatchFile(file: string): Promise<readonly WatchRequest[]> {
  const found = await parseFile(file)
  const inside: unknown = isRecord(found) && 'watches' in found ? found['watches'] : found
  const watches: readonly unknown[] = Array.isArray(inside) ? inside : [inside]
  if (watches.length === 0 || !watches.every(isRecord))
    throw new UsageError([`${file} has no watches: give one, a list, or an object with \`watches\``])
  refuseSameNames(file, watches)
  return watches as unknown as readonly WatchRequest[]
}

/** A watch replaces the one that has its name, which would then not be watched. */
function refuseSameNames(file: string, watches: readonly Readonly<Record<string, unknown>>[]): void {
  const numbers = new Map<string, number>()
  for (const [index, { name }] of watches.entries()) {
    if (typeof name !== 'string') continue
    const first = numbers.get(name)
    if (first !== undefined)
      throw new UsageError([`${file}: watches ${first} and ${index + 1} are both named ${JSON.stringify(name)}`])
    numbers.set(name, index + 1)
  }
}

async function parseFile(file: string): Promise<unknown> {
  try {
    const written = await readFile(file, 'utf8')
    const { parse } = await import('yaml')
    // JSON is YAML.
    return parse(written, { maxAliasCount: 100 })
  } catch (error) {
    throw new UsageError([`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`])
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Interval of looking for results of another process. Milliseconds. */
const POLL_MS = 1000

/** Prints the results of a watch from now on in their order, whichever process makes its checks. */
class WatchPrinter {
  readonly #watch: Watch
  readonly #print: (result: WatchResult) => Promise<void>
  #after: number
  #reading: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout
  readonly #onPage = (): void => void this.read()
  /** Reason why the results could not be read or printed. */
  fault: unknown

  /** @param after position after which results are printed */
  constructor(watch: Watch, after: number, print: (result: WatchResult) => Promise<void>) {
    this.#watch = watch
    this.#after = after
    this.#print = print
    this.#timer = setInterval(this.#onPage, POLL_MS)
    watch.on('page', this.#onPage)
  }

  /** Prints what is stored by now. Does not reject: see {@link fault}. */
  read(): Promise<void> {
    return (this.#reading = this.#reading
      .then(() => this.#readAll())
      .catch((error: unknown) => {
        this.fault = error
      }))
  }

  /** Prints what is stored by now, and nothing later. @throws what could not be read or printed */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    this.#watch.off('page', this.#onPage)
    this.fault = undefined
    await this.read()
    if (this.fault !== undefined) throw this.fault
  }

  async #readAll(): Promise<void> {
    for (;;) {
      const results = await this.#watch.results({ after: this.#after })
      if (results.length === 0) return
      for (const result of results) {
        await this.#print(result)
        this.#after = result.sequence
      }
    }
  }
}
