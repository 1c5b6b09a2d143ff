import { existsSync, statSync } from 'node:fs'
import { readStoredJob, sqlite, writeReport, type WrittenReport } from '../../index.js'
import type { Command } from '../command.js'
import { strictExitCode } from '../exit-codes.js'
import { reportCommandFlags } from '../flags/command-flags.js'
import { describeReport, requireHtml } from '../report/describe-report.js'
import { readOutputFolder } from '../report/read-output-folder.js'
import { countItems } from '../output/summary.js'
import { UsageError } from '../usage-error.js'

/** `trawl report FILE [JOB]` writes a report about a job of a ledger, or about the pages in a folder. */
export const reportCommand: Command = {
  name: 'report',
  argument: 'FILE',
  isArgumentOptional: 'by-flag',
  further: 'JOB',
  isFurtherOptional: true,
  summary:
    'Writes an HTML report about a job of the SQLite ledger FILE, by default its newest one, or about FILE, the folder of --output of ' +
    'another command.',
  example: ['trawl report crawl.db --output report.html', 'Writes a report about the newest job of a ledger:'],
  scrapesNothing: true,
  flags: () => reportCommandFlags,
  run: async ({ argument, further, options, terminal, interrupt }) => {
    const [file, job] = readSource(argument, further, options.ledger)
    const report = options.output ?? 'report.html'
    requireHtml(report)
    const { missing, ...written } = await writeFrom(file, job, { report, signal: interrupt.signal })
    if (options.json === true) await terminal.print(`${JSON.stringify(written)}\n`)
    else if (options.quiet !== true) terminal.report(describeReport(written))
    const [first] = missing
    if (first !== undefined && options.quiet !== true)
      terminal.report(`${countItems(missing.size, 'page')} without Markdown: ${first} is missing in ${file}`)
    return strictExitCode(options, missing.size > 0)
  },
}

/** Reads which file the report is about, and which job of it: `report FILE [JOB]` or `report [JOB] --database FILE`. @throws UsageError */
function readSource(argument: string, further: string, ledger: string | undefined): readonly [string, string] {
  if (ledger === undefined) {
    if (argument === '') throw new UsageError(['FILE is missing: an SQLite ledger, or the folder of --output'])
    return [argument, further]
  }
  if (further !== '') throw new UsageError([`--database names the file: ${argument} or ${further} is one too many`])
  return [ledger, argument]
}

interface Target {
  readonly report: string
  readonly signal: AbortSignal
}

interface WrittenFrom extends WrittenReport {
  /** Files of pages that are not in the folder. */
  readonly missing: ReadonlySet<string>
}

async function writeFrom(file: string, job: string, { report, signal }: Target): Promise<WrittenFrom> {
  if (!existsSync(file)) throw new UsageError([`FILE: ${file} does not exist`])
  if (statSync(file).isDirectory()) {
    if (job !== '') throw new UsageError([`JOB: the folder ${file} has no jobs`])
    const folder = await readOutputFolder(file)
    return { ...(await writeReport(folder, report, { signal })), missing: folder.missing }
  }
  const ledger = sqlite(file)
  try {
    const stored = await readStoredJob(ledger, job === '' ? undefined : job)
    return { ...(await writeReport(stored, report, { signal })), missing: new Set() }
  } finally {
    await ledger.close()
  }
}
