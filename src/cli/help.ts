import type { Command } from './command.js'
import { EXIT_CODES } from './exit-codes.js'
import type { Flag } from './flags/flag.js'
import { nameCommand, printFlag } from './shells/describe-flag.js'

/** Width of the column with the names of flags. Characters. */
const FLAGS_WIDTH = 36
/** Width of the column with the names of commands. Characters. */
const COMMANDS_WIDTH = 20
/** Maximum width of lines, because longer ones are hard to read. Characters. */
const MAX_WIDTH = 110
/** Minimum width of a column of text, also in a narrower terminal. Characters. */
const MIN_TEXT_WIDTH = 30

/** Formats the help of a command: all of its flags, by section. @param width of the terminal, in characters */
export function printCommandHelp(command: Command, flags: readonly Flag[], width: number): string {
  const sections = [...new Set(flags.map(({ section }) => section))]
  return [
    `Usage: trawl ${nameCommand(command)} [flags]`,
    wrap(command.summary, 0, width),
    ...sections.map((section) => {
      const rows = flags
        .filter((flag) => flag.section === section)
        .map(printFlag)
        .map(({ name, description }) => printRow(name, description, width))
      return `${section}:\n${rows.join('\n')}`
    }),
    wrap(hints, 0, width),
    exitCodesHelp,
  ].join('\n\n')
}

/** Formats the help of the program: its commands. @param width of the terminal, in characters */
export function printHelp(commands: readonly Command[], width: number): string {
  return [
    'Usage: trawl <command> [flags]',
    'Scrapes and crawls web sites, and gives their pages as Markdown.',
    commands.map((command) => printRow(nameCommand(command), command.summary, width, COMMANDS_WIDTH)).join('\n'),
    'trawl <command> --help shows all flags of a command, trawl --version the version.',
    exitCodesHelp,
  ].join('\n\n')
}

const hints =
  'A flag with ... can be repeated. A switch that is on is turned off with --no-<name>. A value that begins with a dash ' +
  'is given as --name=value. What this version cannot do yet is refused, never ignored.'

const exitCodesHelp = ['Exit codes:', ...EXIT_CODES.map(([code, meaning]) => `  ${code}  ${meaning}`)].join('\n')

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
