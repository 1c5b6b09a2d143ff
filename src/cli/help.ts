import type { Command } from './command.js'
import { EXIT_CODES } from './exit-codes.js'
import type { Flag } from './flags/flag.js'
import { nameCommand, printFlag } from './shells/describe-flag.js'

/** Argument that shows all flags of a command. */
export const HELP_ALL = '--help=all'

/** Width of the column with the names of flags. Characters. */
const FLAGS_WIDTH = 34
/** Width of the column with the names of commands. Characters. */
const COMMANDS_WIDTH = 22
/** Maximum width of lines, because longer ones are hard to read. Characters. */
const MAX_WIDTH = 110
/** Minimum width of a column of text, also in a narrower terminal. Characters. */
const MIN_TEXT_WIDTH = 30
/** Maximum length of a default in short help. Characters. */
const MAX_DEFAULT_LENGTH = 20
/** Maximum length of a description in short help: two lines of a terminal of 80 columns. Characters. */
const MAX_BRIEF_LENGTH = 84

/** Formats the help of a command: all of its flags, by section. @param width of the terminal, in characters */
export const printCommandHelp = (command: Command, flags: readonly Flag[], width: number): string =>
  [
    ...printIntroduction(command, command.summary, width),
    ...printSections(flags, ({ description }) => description, width),
    wrap(HINTS, 0, width),
    EXIT_CODES_HELP,
  ].join('\n\n')

/**
 * Formats the help that fits two screens of 24 lines: the most used flags, each with the beginning of its description.
 *
 * @param width of the terminal, in characters
 */
export function printShortHelp(command: Command, flags: readonly Flag[], width: number): string {
  const { mainFlags = flags.map(({ name }) => name) } = command
  const shown = mainFlags.flatMap((name) => flags.find((flag) => flag.name === name) ?? [])
  const more = flags.length > shown.length ? `the other ${flags.length - shown.length} flags, and ` : ''
  const footer = `trawl ${command.name} ${HELP_ALL} shows ${more}more about each flag. `
  return [
    ...printIntroduction(command, firstSentence(command.summary), width),
    ...printSections(shown, describeBriefly, width),
    wrap(footer + BRIEF_EXIT_CODES, 0, width),
  ].join('\n\n')
}

/** Formats the help of the program: its commands. @param width of the terminal, in characters */
export function printHelp(commands: readonly Command[], width: number): string {
  return [
    'Usage: trawl <command> [flags]',
    'Scrapes and crawls web sites, and gives their pages as Markdown.',
    'A site as a folder of Markdown files:\n  trawl crawl https://books.toscrape.com/ --limit 50 --output books/',
    commands
      .map((command) => printRow(nameCommand(command), shorten(command.summary), width, COMMANDS_WIDTH))
      .join('\n'),
    wrap('trawl <command> --help shows an example and the flags of a command, trawl --version the version.', 0, width),
    wrap(BRIEF_EXIT_CODES, 0, width),
  ].join('\n\n')
}

const HINTS =
  'A flag with ... can be repeated. A switch that is on is turned off with --no-<name>. A value that begins with a dash ' +
  'is given as --name=value. What this version cannot do yet is refused, never ignored.'

const EXIT_CODES_HELP = ['Exit codes:', ...EXIT_CODES.map(([code, meaning]) => `  ${code}  ${meaning}`)].join('\n')

const BRIEF_EXIT_CODES =
  'Exit codes: 0 success, 1 failed, 2 wrong command or request, 3 incomplete with --strict, 130 after Ctrl-C.'

const printIntroduction = (command: Command, summary: string, width: number): string[] => {
  const [line, meaning] = command.example
  return [`Usage: trawl ${nameCommand(command)} [flags]`, wrap(summary, 0, width), `${meaning}\n  ${line}`]
}

function printSections(flags: readonly Flag[], describe: (flag: Flag) => string, width: number): string[] {
  const sections = [...new Set(flags.map(({ section }) => section))]
  return sections.map((section) => {
    const rows = flags
      .filter((flag) => flag.section === section)
      .map((flag) =>
        printRow(printFlag(flag).name, describe({ ...flag, description: printFlag(flag).description }), width),
      )
    return `${section}:\n${rows.join('\n')}`
  })
}

/** Shortens the description of a flag to its beginning, and its default if it has one that is short. */
function describeBriefly({ description }: Flag): string {
  const start = shorten(description)
  const value = /\. Default: (.+?)(?=\. |;|$)/.exec(description)?.[1] ?? 'none'
  const isTold = !/^(off|none|no |every|all )/.test(value) && value.length <= MAX_DEFAULT_LENGTH
  return isTold && !start.includes('Default') ? `${start} (default: ${value})` : start
}

/** Shortens a text to its first clause, or to as many of its words as fit. */
function shorten(text: string): string {
  const clause = /^.*?(?=[.:;] |\.$|$)/.exec(text)?.[0] ?? text
  if (clause.length <= MAX_BRIEF_LENGTH) return clause
  const cut = clause.slice(0, MAX_BRIEF_LENGTH)
  const end = Math.max(cut.lastIndexOf(', '), cut.lastIndexOf(' and '), cut.lastIndexOf(' or '))
  return cut.slice(0, end > MAX_BRIEF_LENGTH / 3 ? end : cut.lastIndexOf(' ')).replace(/,$/, '')
}

const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text

function printRow(name: string, description: string, width: number, namesWidth = FLAGS_WIDTH): string {
  const text = wrap(description, namesWidth, width)
  const head = `  ${name}`
  return head.length < namesWidth ? `${head.padEnd(namesWidth)}${text}` : `${head}\n${' '.repeat(namesWidth)}${text}`
}

/** Wraps a text between words, and indents every line but the first. */
function wrap(text: string, indent: number, width: number): string {
  const maxLength = Math.max(MIN_TEXT_WIDTH, Math.min(width, MAX_WIDTH) - indent)
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + 1 + word.length > maxLength) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}
