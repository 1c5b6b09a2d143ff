import type { ValueType } from '../../options/flag-options.js'
import type { Flag } from './flag.js'

const text: ValueType = { kinds: ['string'], choices: [] }
const onOff: ValueType = { kinds: ['boolean'], choices: [] }

const commandFlag = (name: string, valueType: ValueType, description: string, short?: string): Flag => ({
  name,
  target: 'command',
  path: [name],
  valueType,
  description,
  section: 'The command',
  ...(short === undefined ? {} : { short }),
})

/** Options of a command itself; each is false or absent without its flag. */
export interface CommandOptions {
  output?: string
  json?: boolean
  strict?: boolean
  quiet?: boolean
  database?: string
  help?: boolean
}

/** Flags of a command itself, not of its request. */
const commandFlags = {
  output: commandFlag(
    'output',
    text,
    'Destination of the pages: FILE.ndjson, one JSON document per line, or a folder, which gets one Markdown file for each ' +
      'page and an index.ndjson with all other data. Default: standard output',
    'o',
  ),
  json: commandFlag('json', onOff, 'Print the document as JSON instead of its Markdown. Default: off'),
  strict: commandFlag('strict', onOff, 'Exit with 3 when a page failed or a URL was invalid. Default: off'),
  quiet: commandFlag('quiet', onOff, 'No progress and no summary. Default: off', 'q'),
  database: commandFlag(
    'database',
    text,
    'Address of the PostgreSQL database that engines share: postgres://user:password@host:5432/database',
  ),
  help: commandFlag('help', onOff, 'Show this help', 'h'),
} satisfies Record<keyof CommandOptions, Flag>

/** Flags of every command that runs a job. */
export const jobCommandFlags: readonly Flag[] = [
  commandFlags.output,
  commandFlags.strict,
  commandFlags.quiet,
  commandFlags.help,
]

/** Flags of a command that lists jobs. */
export const listCommandFlags: readonly Flag[] = [
  commandFlags.database,
  { ...commandFlags.json, description: 'Print each job as one line of JSON. Default: off' },
  commandFlags.help,
]

/** Flags of a command that scrapes one page. */
export const pageCommandFlags: readonly Flag[] = [
  commandFlags.output,
  commandFlags.json,
  commandFlags.quiet,
  commandFlags.help,
]
