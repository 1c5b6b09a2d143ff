import type { ValueType } from './flag-options.js'
import { databaseFlags, type DatabaseOptions, sharedDatabaseFlags } from './database-flags.js'
import type { Flag } from './flag.js'

/** Type of a flag with a text. */
export const text: ValueType = { kinds: ['string'], choices: [] }
/** Type of a flag without a value. */
export const onOff: ValueType = { kinds: ['boolean'], choices: [] }

/** Creates a flag of a command itself. */
export const commandFlag = (name: string, valueType: ValueType, description: string, short?: string): Flag => ({
  name,
  target: 'command',
  path: [name],
  valueType,
  description,
  section: 'The command',
  short,
})

/** Creates the flag that makes an incomplete result a failure, for scripts. @param when the result is incomplete */
export const strictFlag = (when: string): Flag => commandFlag('strict', onOff, `Exit with 3 when ${when}. Default: off`)

/** Options of a command itself; each is false or absent without its flag. */
export interface CommandOptions extends DatabaseOptions {
  output?: string
  starts?: string
  rows?: boolean
  all?: boolean
  saveFiles?: boolean
  json?: boolean
  limit?: number
  strict?: boolean
  quiet?: boolean
  watch?: boolean
  ledger?: string
  job?: string
  resume?: boolean
  workers?: boolean
  url?: string
  exclude?: string
  type?: string
  status?: string
  from?: string
  to?: string
  replay?: string
  help?: boolean
}

/** Flags of a command itself, not of its request. */
const commandFlags = {
  starts: commandFlag(
    'starts',
    text,
    'FILE with further start URLs: one a line, with # for comments, or a JSON array; - is standard input. Default: none',
  ),
  replay: commandFlag(
    'replay',
    text,
    'FILE: an archive that the page is taken from, in the place of the network: WARC or WACZ. Default: none',
  ),
  output: commandFlag(
    'output',
    text,
    'Place of the pages, FILE.ndjson or a folder: one JSON document per line, or one Markdown file for each ' +
      'page and an index.ndjson with all other data; FILE.csv gets the rows of lists. Default: standard output',
    'o',
  ),
  rows: commandFlag(
    'rows',
    onOff,
    'Write the rows of the lists on the pages, each once, in place of the pages: to standard output or FILE.ndjson, one JSON ' +
      'object per line, to FILE.json, or to FILE.csv, where it is the default. Adds format list if none is given. Default: off',
  ),
  all: commandFlag(
    'all',
    onOff,
    'Read each list to its end, over its further pages: option all of format list, which is added if none is given. Default: off',
  ),
  saveFiles: {
    ...commandFlag(
      'save-files',
      onOff,
      'Save pages that are files, such as PDF, office files, images, audio and video, as received: beside their Markdown in --output FOLDER, ' +
        'or in --media. Adds format original; a crawl then follows links to files of all types. Default: off',
    ),
    path: ['saveFiles'],
  },
  json: commandFlag(
    'json',
    onOff,
    'Print JSON: one object a line on standard output, and errors, notes and summaries in the same way on standard error. Default: off',
  ),
  limit: commandFlag('limit', { kinds: ['number'], choices: [] }, 'Maximum number of hits, 0 to 100. Default: 10'),
  strict: strictFlag(
    'a page failed or came with an error status, a URL was invalid, a sitemap could not be read, the limit that was not asked for was ' +
      'reached, or a report has not reached --webhook',
  ),
  quiet: commandFlag('quiet', onOff, 'No progress and no summary. Default: off', 'q'),
  watch: commandFlag(
    'watch',
    onOff,
    'Show what the job does while it runs: rates, hosts, reasons of failures, the step of each page, and the estimated end. A view in ' +
      'a terminal; elsewhere a line on standard error every five seconds. Default: off, a status line in a terminal',
  ),
  ledger: {
    ...commandFlag('database', text, 'Path of the SQLite ledger with the job'),
    path: ['ledger'],
  },
  job: commandFlag('job', text, 'Id of the job in --database. Default: the newest one'),
  resume: commandFlag(
    'resume',
    onOff,
    'Run the jobs that no living engine runs, now and later, besides scraping pages. Default: off',
  ),
  workers: commandFlag('workers', onOff, 'List the workers in place of the jobs. Default: off'),
  url: commandFlag('url', text, 'Regular expression that must match in the URLs. Default: every URL'),
  exclude: commandFlag(
    'exclude',
    text,
    'Regular expression that must not match in the URLs. Default: robots.txt is left out',
  ),
  type: commandFlag(
    'type',
    text,
    'Media types, such as text/html,application/*. Default: all but parts of pages, such as images and scripts',
  ),
  status: commandFlag('status', text, 'Statuses, such as 200 or 2xx,404. Default: all but redirects'),
  from: commandFlag('from', text, 'Earliest time of a response, as a date. Default: none'),
  to: commandFlag('to', text, 'Latest time of a response, as a date. Default: none'),
  help: commandFlag('help', onOff, 'Show the most used flags; --help=all shows all', 'h'),
} satisfies Record<Exclude<keyof CommandOptions, keyof DatabaseOptions>, Flag>

/** Flags of every command that runs a job. */
export const jobCommandFlags: readonly Flag[] = [
  commandFlags.output,
  commandFlags.rows,
  commandFlags.all,
  commandFlags.saveFiles,
  ...databaseFlags,
  commandFlags.strict,
  commandFlags.watch,
  commandFlags.json,
  commandFlags.quiet,
  commandFlags.help,
]

/** Names of the flags of a command with a job, as its short help shows them. */
export const JOB_FLAG_NAMES = ['output', 'database', 'strict', 'watch', 'json', 'quiet', 'help'] as const

/** Names of the flags of a command that prints what it finds, as its short help shows them. */
export const PRINT_FLAG_NAMES = ['strict', 'json', 'quiet', 'help'] as const

/** Flags of a crawl. */
export const crawlCommandFlags: readonly Flag[] = [...jobCommandFlags, commandFlags.starts]

/** Flags of a command that reads an archive. */
export const archiveCommandFlags: readonly Flag[] = [
  commandFlags.output,
  commandFlags.url,
  commandFlags.exclude,
  commandFlags.type,
  commandFlags.status,
  commandFlags.from,
  commandFlags.to,
  strictFlag('a record could not be read, or its page failed'),
  commandFlags.json,
  commandFlags.quiet,
  commandFlags.help,
]

/** Flags of a command that prints what it does. */
export const quietCommandFlags: readonly Flag[] = [commandFlags.json, commandFlags.quiet, commandFlags.help]

/** Flags of a command that lists jobs. */
export const listCommandFlags: readonly Flag[] = [
  ...databaseFlags,
  commandFlags.workers,
  strictFlag('a job has failed, or no living engine runs one that is unfinished'),
  ...quietCommandFlags,
]

/** Flags of commands that write a view. */
const viewFlags: readonly Flag[] = [
  {
    ...commandFlags.output,
    description: 'Path of the report: FILE.html. Default: report.html, and page.html for show',
  },
  strictFlag('the page came with an error status or without text, or the Markdown of a page is missing'),
  commandFlags.json,
  commandFlags.quiet,
  commandFlags.help,
]

/** Flags of a command that shows a page. */
export const showCommandFlags: readonly Flag[] = [commandFlags.replay, ...viewFlags]

/** Flags of a command that writes a report about a job. */
export const reportCommandFlags: readonly Flag[] = [commandFlags.ledger, ...viewFlags]

/** Flags of a command that explains a URL of a job. */
export const explainCommandFlags: readonly Flag[] = [
  commandFlags.ledger,
  commandFlags.job,
  strictFlag('the URL failed, was skipped, or answered with an error status'),
  ...quietCommandFlags,
]

/** Flags of a command that serves tools, or describes the program. */
export const plainCommandFlags: readonly Flag[] = [commandFlags.json, commandFlags.help]

/** Flags of a command that prints what it finds. */
export const printCommandFlags: readonly Flag[] = [
  strictFlag('there is a warning, such as a sitemap that could not be read'),
  ...quietCommandFlags,
]

/** Flags of a command that searches an index. */
export const searchCommandFlags: readonly Flag[] = [
  commandFlags.limit,
  strictFlag('nothing was found'),
  ...quietCommandFlags,
]

/** Flags of the command that makes a key. */
export const identityCommandFlags: readonly Flag[] = quietCommandFlags

/** Flag of a command whose engine has no concurrency of a request. */
const concurrencyFlag: Flag = {
  name: 'concurrency',
  target: 'engine',
  path: ['maxConcurrency'],
  valueType: { kinds: ['number'], choices: [] },
  description: 'Maximum number of pages at once, 1 to 1000. Default: 10',
  section: 'The command',
}

/** Flags of a command that scrapes pages for others. */
export const workCommandFlags: readonly Flag[] = [
  ...sharedDatabaseFlags,
  concurrencyFlag,
  commandFlags.resume,
  strictFlag('a page failed'),
  commandFlags.json,
  commandFlags.quiet,
  commandFlags.help,
]

/** Flags of a command that continues a job. */
export const resumeCommandFlags: readonly Flag[] = [
  commandFlags.output,
  commandFlags.rows,
  commandFlags.saveFiles,
  ...databaseFlags,
  concurrencyFlag,
  commandFlags.strict,
  commandFlags.watch,
  commandFlags.json,
  commandFlags.quiet,
  commandFlags.help,
]

/** Flags of a command that scrapes one page. */
export const pageCommandFlags: readonly Flag[] = [
  {
    ...commandFlags.output,
    description:
      'Place of the page, FILE or a folder: FILE.md gets its Markdown, FILE.json or FILE.ndjson the document, FILE.csv the rows of its lists, and a ' +
      'folder a Markdown file and a line of its index.ndjson. Default: standard output',
  },
  commandFlags.rows,
  commandFlags.all,
  commandFlags.saveFiles,
  strictFlag(
    'the page came with an error status or without text, or a page that its list goes on with could not be read',
  ),
  commandFlags.json,
  commandFlags.quiet,
  commandFlags.help,
]
