import { type Attempt, type LedgerRow, readStoredJob, type ReportedJob, sqlite } from '../../index.js'
import type { Command } from '../command.js'
import { exitCodes, strictExitCode } from '../exit-codes.js'
import { explainCommandFlags } from '../flags/command-flags.js'
import { requireFile } from '../flags/database-flags.js'
import { engineFlags } from '../flags/engine-flags.js'
import { batchFlags, crawlFlags } from '../flags/request-flags.js'
import { nameFlags } from '../to-usage-error.js'
import { UsageError } from '../usage-error.js'

/** `trawl explain URL` tells what a job of a ledger did with a URL, and why. */
export const explainCommand: Command = {
  name: 'explain',
  argument: 'URL',
  summary:
    'Tells what a job of the SQLite ledger of --database did with a URL, and why: how it was found, each attempt, and the outcome. ' +
    'The job is read as it is stored, and not resumed.',
  example: ['trawl explain https://example.com/a --database crawl.db', 'Tells why a page was skipped:'],
  scrapesNothing: true,
  flags: () => explainCommandFlags,
  run: async ({ argument, options, terminal }) => {
    const { ledger: file, job: id, json } = options
    if (file === undefined) throw new UsageError(['--database is missing'])
    requireFile(file)
    const ledger = sqlite(file)
    try {
      const row = await findRow(await readStoredJob(ledger, id), argument)
      if (json === true) await terminal.print(`${JSON.stringify(row)}\n`)
      else for (const line of printRow(row)) await terminal.printLine(line)
      if (row.outcome === 'unseen') return exitCodes.failed
      return strictExitCode(options, row.outcome !== 'done' || (row.attempts.at(-1)?.statusCode ?? 200) >= 400)
    } finally {
      await ledger.close()
    }
  },
}

/**
 * Finds the row of a URL: as `job.explain()` does, then as a batch spelt it, or where another one was redirected to.
 *
 * @throws UsageError
 */
async function findRow(job: Required<ReportedJob>, url: string): Promise<LedgerRow | Unseen> {
  const known = await job.explain(url)
  if (!known) throw new UsageError([`URL: ${JSON.stringify(url)} is no URL`])
  if (known.outcome !== 'unseen') return known
  const { href } = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`)
  let redirected: LedgerRow | undefined
  for await (const row of job.urls()) {
    if (row.sources?.some((source) => source.url === url || source.url === href)) return row
    if (row.finalUrl === href) redirected ??= row
  }
  return redirected ?? { outcome: 'unseen', url }
}

/** A URL that the job has not met. */
interface Unseen {
  readonly outcome: 'unseen'
  readonly url: string
}

/** Replaces the names of options by the flags of the command that ran the job. */
const toFlags = (message: string): string => nameFlags(message, [...crawlFlags(), ...batchFlags(), ...engineFlags()])

function printRow(row: LedgerRow | Unseen): readonly string[] {
  if (row.outcome === 'unseen') return [row.url, 'unseen: the job never met this URL']
  const { url, outcome, refusal, failure, via, foundOn, anchor, depth, finalUrl, duplicateOf, warning, attempts } = row
  const reason = refusal
    ? `: ${refusal.reason}, ${toFlags(refusal.message)}`
    : failure
      ? `: ${failure.code}, ${toFlags(failure.error)}`
      : ''
  const text = anchor === undefined || anchor === '' ? '' : ` (${JSON.stringify(anchor)})`
  return [
    url,
    `${outcome}${reason}`,
    `found at depth ${depth} by ${via}${foundOn === undefined ? '' : ` on ${foundOn}${text}`}`,
    ...(finalUrl === undefined ? [] : [`redirected to ${finalUrl}`]),
    ...(duplicateOf === undefined ? [] : [`same content as ${duplicateOf}`]),
    ...(warning === undefined ? [] : [`warning: ${toFlags(warning)}`]),
    ...attempts.map(printAttempt),
  ]
}

function printAttempt(attempt: Attempt, at: number): string {
  const { startedAtMs, endedAtMs, statusCode, fetcher, fetcherReason, code, error } = attempt
  const how =
    fetcher === undefined ? [] : [`by ${fetcher}${fetcherReason === undefined ? '' : ` (${toFlags(fetcherReason)})`}`]
  const result = code === undefined ? [] : [`${code}: ${toFlags(error ?? '')}`]
  const answer = statusCode === undefined ? [] : [`status ${statusCode}`]
  const when = `${new Date(startedAtMs).toISOString()}, ${((endedAtMs - startedAtMs) / 1000).toFixed(1)} s`
  return [`attempt ${at + 1} at ${when}`, ...how, ...answer, ...result].join(', ')
}
