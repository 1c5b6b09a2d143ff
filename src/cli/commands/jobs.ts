import type { JobOverview } from '../../index.js'
import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { listCommandFlags } from '../flags/command-flags.js'
import { requireDatabase } from '../flags/database-flags.js'
import { readJobs } from '../read-jobs.js'

const HEADINGS = ['ID', 'KIND', 'STATUS', 'ENGINE', 'DONE', 'FAILED', 'SKIPPED', 'QUEUED', 'CREATED']

/** `trawl jobs` lists the jobs of the engines that share a database. */
export const jobsCommand: Command = {
  name: 'jobs',
  summary: 'Lists the jobs of the engines that share the PostgreSQL database of --database, newest first.',
  scrapesNothing: true,
  flags: () => listCommandFlags,
  run: async ({ options, engine, terminal }) => {
    requireDatabase(options)
    const jobs = await readJobs(engine)
    const lines = options.json === true ? jobs.map((job) => JSON.stringify(job)) : alignColumns(jobs.map(toCells))
    for (const line of lines) await terminal.print(`${line}\n`)
    return exitCodes.ok
  },
}

function toCells({
  id,
  kind,
  status,
  interrupted,
  completed,
  failed,
  skipped,
  queued,
  active,
  createdAt,
}: JobOverview) {
  const engine = status !== 'scraping' ? '-' : interrupted ? 'none' : 'alive'
  return [id, kind, status, engine, completed, failed, skipped, queued + active, createdAt].map(String)
}

/** Formats rows below their headings, in columns of equal width. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const all = [HEADINGS, ...rows]
  const widths = HEADINGS.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  const alignRow = (row: readonly string[]): string => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
  return all.map((row) => alignRow(row).trimEnd())
}
