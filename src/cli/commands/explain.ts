import { existsSync, statSync } from 'node:fs'
import { type Attempt, type LedgerRow, readStoredJob, type ReportedJob, sqlite } from '../../index.js'
import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { explainCommandFlags } from '../flags/command-flags.js'
import { UsageError } from '../usage-error.js'

/** `trawl explain URL` tells what a job of a ledger did with a URL, and why. */
export const explainCommand: Command = {
  name: 'explain',
  argument: 'URL',
  summary:
    'Tells what a job of the SQLite ledger of --database did with a URL, and why: how it was found, each attempt, and the outcome. ' +
    'The job is read as it is stored, and not resumed.',
  scrapesNothing: true,
  flags: () => explainCommandFlags,
  run: async ({ argument, options: { ledger: file, job: id, json }, terminal }) => {
    const url = readUrl(argument)
    if (file === undefined) throw new UsageError(['--database is missing'])
    if (!existsSync(file)) throw new UsageError([`--database: ${file} does not exist`])
    if (statSync(file).isDirectory()) throw new UsageError([`--database: ${file} is a folder, and has no ledger`])
    const ledger = sqlite(file)
    try {
      const row = (await findRow(await readStoredJob(ledger, id), url)) ?? { outcome: 'unseen' as const, url }
      const text = json === true ? JSON.stringify(row) : printRow(row)
      await terminal.print(`${text}\n`)
    } finally {
      await ledger.close()
    }
    return exitCodes.ok
  },
}

/** Reads a URL as the ledger spells it. @throws UsageError */
function readUrl(text: string): string {
  try {
    return new URL(text.includes('://') ? text : `https://${text}`).href
  } catch {
    throw new UsageError([`URL: ${JSON.stringify(text)} is no URL`])
  }
}

/** Finds the row of a URL: as it was found, as a batch spelt it, or where another one was redirected to. */
async function findRow(job: ReportedJob, url: string): Promise<LedgerRow | undefined> {
  let redirected: LedgerRow | undefined
  for await (const row of job.rows()) {
    if ([row.url, row.key, ...(row.sources ?? []).map((source) => source.url)].includes(url)) return row
    if (row.finalUrl === url) redirected ??= row
  }
  return redirected
}

/** A URL that the job has not met. */
interface Unseen {
  readonly outcome: 'unseen'
  readonly url: string
}

function printRow(row: LedgerRow | Unseen): string {
  if (row.outcome === 'unseen') return `${row.url}\nunseen: the job never met this URL`
  const { url, outcome, refusal, failure, via, foundOn, anchor, depth, finalUrl, duplicateOf, attempts } = row
  const reason = refusal
    ? `: ${refusal.reason}, ${refusal.message}`
    : failure
      ? `: ${failure.code}, ${failure.error}`
      : ''
  const text = anchor === undefined || anchor === '' ? '' : ` (${JSON.stringify(anchor)})`
  return [
    url,
    `${outcome}${reason}`,
    `found at depth ${depth} by ${via}${foundOn === undefined ? '' : ` on ${foundOn}${text}`}`,
    ...(finalUrl === undefined ? [] : [`redirected to ${finalUrl}`]),
    ...(duplicateOf === undefined ? [] : [`same content as ${duplicateOf}`]),
    ...attempts.map(printAttempt),
  ].join('\n')
}

function printAttempt(attempt: Attempt, at: number): string {
  const { startedAtMs, endedAtMs, statusCode, fetcher, fetcherReason, code, error } = attempt
  const how = fetcher === undefined ? [] : [`by ${fetcher}${fetcherReason === undefined ? '' : ` (${fetcherReason})`}`]
  const result = code === undefined ? [] : [`${code}: ${error ?? ''}`]
  const answer = statusCode === undefined ? [] : [`status ${statusCode}`]
  const when = `${new Date(startedAtMs).toISOString()}, ${((endedAtMs - startedAtMs) / 1000).toFixed(1)} s`
  return [`attempt ${at + 1} at ${when}`, ...how, ...answer, ...result].join(', ')
}
