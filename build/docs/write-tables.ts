import type { Command } from '../../src/cli/command.js'
import * as registry from '../../src/cli/commands/index.js'
import { nameCommand, printFlag } from '../../src/cli/shells/describe-flag.js'
import { flagsOf } from '../../src/cli/run-command-line.js'
import type { ErrorRow } from '../../src/base/errors.js'
import { features } from '../../src/features/index.js'
import { errorTable } from '../../src/features/create-engine.js'
import { skipReasons } from '../../src/kernel/ledger/skip-reason.js'
import type { Declarations } from './declarations.js'

const ERRORS = `# Errors

Every code of a \`TrawlError\`. **Status** is the HTTP status that a server around trawl answers with, \`error.status\`. **Retried**: trying
again may help; trawl does so by itself, as \`retry\` of the engine says. \`errorTable\` has the same at run time.

In a job, the codes of pages are in \`job.errors()\` and do not fail the job.`

/** Generates the reference of the error codes. */
export const writeErrors = (): string =>
  [
    ERRORS,
    table(
      ['Code', 'Status', 'Retried', 'Meaning'],
      Object.entries(errorTable).map(([code, row]) => {
        const { means, retry, status }: ErrorRow = row
        return [`\`${code}\``, status === undefined ? '' : String(status), retry ? 'yes' : 'no', capital(means)]
      }),
    ),
  ].join('\n\n')

const REASONS = `# Skip reasons

Why a URL of a job was not scraped, or its page not kept: \`refusal.reason\` of \`job.explain(url)\` and \`job.urls()\`, and the keys of
\`skippedByReason\`. \`refusal.message\` names the rule, the pattern or the limit that decided. A skipped URL is no error.`

/** Generates the reference of the skip reasons. */
export function writeSkipReasons(declarations: Declarations): string {
  const { literals } = declarations.find('SkipReason') ?? { literals: new Map() }
  const own = skipReasons.map((reason) => [reason, literals.get(reason)?.text ?? ''])
  const added = features.flatMap(({ stops, refusal }) =>
    [stops, refusal].flatMap((kind) => (kind ? [[kind.reason, kind.means]] : [])),
  )
  const rows = [...own, ...added].map(([reason = '', means = '']) => [`\`${reason}\``, means.replace(/\s*\n\s*/g, ' ')])
  return [REASONS, table(['Reason', 'Meaning'], rows)].join('\n\n')
}

const CLI = `# Command line

\`trawl <command> <argument> [flags]\`. A flag with \`...\` can be repeated. A switch that is on is turned off with \`--no-<name>\`. A value
that begins with a dash is given as \`--name=value\`. A flag whose value is refused by the engine is reported with the engine's message.`

const EXIT_CODES = [
  ['0', 'The command succeeded; pages that failed are in the summary'],
  ['1', 'The job failed, or gave no page at all'],
  ['2', 'The command or the request is wrong, and nothing was started'],
  ['3', 'With `--strict`: the result is incomplete, as the flag says for each command'],
  ['129, 130, 143', 'Ended by SIGHUP, SIGINT or SIGTERM; what was scraped is kept. `trawl work`: only by a second one'],
]

/** Generates the reference of the command line. */
export function writeCommandLine(): string {
  const commands: readonly Command[] = Object.values(registry)
  const flags = groupFlags(commands)
  const sections = [...new Set(flags.map(({ section }) => section))]
  return [
    CLI,
    '## Commands',
    table(
      ['Command', 'Meaning'],
      commands.map((command) => [`\`trawl ${nameCommand(command)}\``, command.summary]),
    ),
    ...sections.flatMap((section) => [
      `## ${section}`,
      table(
        ['Flag', 'Commands', 'Meaning'],
        flags
          .filter((flag) => flag.section === section)
          .map(({ name, takers, description }) => [`\`${name}\``, takers.join(', '), description]),
      ),
    ]),
    '## Exit codes',
    table(['Code', 'Meaning'], EXIT_CODES),
  ].join('\n\n')
}

/** A flag with one meaning, and the names of the commands that have it. */
interface FlagRow {
  readonly section: string
  readonly name: string
  readonly description: string
  readonly takers: string[]
}

/** Lists the flags of all commands. A flag that means something else in another command has a row for each meaning. */
function groupFlags(commands: readonly Command[]): readonly FlagRow[] {
  const meanings = new Map<string, FlagRow[]>()
  for (const command of commands) {
    for (const flag of flagsOf(command)) {
      const { name, description } = printFlag(flag)
      const rows = meanings.get(flag.name) ?? []
      meanings.set(flag.name, rows)
      const known = rows.find((row) => row.name === name && row.description === description)
      if (known) known.takers.push(command.name)
      else rows.push({ section: flag.section, name, description, takers: [command.name] })
    }
  }
  return [...meanings.values()].flat()
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n')

const escapeCell = (text: string): string =>
  text.replaceAll('|', '\\|').replace(/(`[^`]*`)|<|\*/g, (sign, isCode: string | undefined) => isCode ?? `\\${sign}`)
