import { once } from 'node:events'
import type { Watch, WatchCheck, WatchResult } from '../../index.js'
import type { Command, Invocation } from '../command.js'
import { exitCodes, strictExitCode } from '../exit-codes.js'
import { commandFlag, onOff, quietCommandFlags, strictFlag, text } from '../flags/command-flags.js'
import type { Flag } from '../flags/flag.js'
import { countItems } from '../output/summary.js'
import { toUsageError } from '../to-usage-error.js'
import { WatchPrinter } from '../watch/watch-printer.js'
import { readWatchFile } from '../watch/watch-file.js'

const watchFlags: readonly Flag[] = [
  commandFlag('ledger', text, 'Path of the SQLite file that keeps the watches with their histories. Default: FILE.db'),
  commandFlag('once', onOff, 'Check each watch at once, and end: for a scheduler of your own. Default: off'),
  commandFlag('all', onOff, 'Print each page of each check, also those without a meaningful change. Default: off'),
  strictFlag(
    'a check, or a page of one, failed before the command was stopped; with --once it exits with 1 then in any case',
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
      watch.on('problem', (error) => terminal.report(`${watch.name}: ${error.message}`))
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
      return ended.some(isFailed) ? exitCodes.failed : exitCodes.ok
    }
    interrupt.awaitCommand()
    report(`Watching: ${watches.map(({ name }) => name).join(', ')}. SIGTERM or Ctrl-C stops`)
    if (!interrupt.signal.aborted) await once(interrupt.signal, 'abort')
    await close()
    return strictExitCode(options, hasFailed)
  },
}

const isFailed = ({ error, summary }: WatchCheck): boolean => error !== undefined || summary.error > 0

const describeResult = ({ watch, url, status, reasons, error }: WatchResult): string =>
  [
    `${watch}: ${status} ${url}`,
    ...reasons.map(({ message }) => `  ${message}`),
    ...(error ? [`  ${error}`] : []),
  ].join('\n')

const describeCheck = (name: string, { number, summary, error }: WatchCheck): string =>
  `${name}: check ${number}: ${countItems(summary.totalPages, 'page')}, ${summary.changed} changed, ${summary.new} new, ` +
  `${summary.removed} removed, ${countItems(summary.error, 'error')}, ${summary.meaningful} meaningful${error === undefined ? '' : `; ${error}`}`
