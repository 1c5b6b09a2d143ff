import type { Command, Program, ListedCommand } from '../command.js'
import { EXIT_CODES, exitCodes } from '../exit-codes.js'
import { plainCommandFlags } from '../flags/command-flags.js'
import { nameCommand, printFlag } from '../shells/describe-flag.js'
import { groupFlags } from '../shells/listed-command.js'

/** `trawl man` prints the manual page, made from the definitions of the commands and their flags. */
export const manCommand: Command = {
  name: 'man',
  summary:
    'Prints the manual page, as man reads it: trawl man | man -l -. With --json, the definitions of all commands and flags.',
  example: ['trawl man | man -l -', 'Shows the manual:'],
  scrapesNothing: true,
  flags: () => plainCommandFlags,
  run: async ({ options, program, terminal }) => {
    const { commands, version } = program()
    const text =
      options.json === true ? `${JSON.stringify(describe({ commands, version }))}\n` : writeManual(commands, version)
    await terminal.print(text)
    return exitCodes.ok
  },
}

/** Describes the program for other programs. */
const describe = ({ commands, version }: Program): object => ({
  version,
  commands: commands.map(({ name, argument, argumentChoices, further, isFurtherOptional, summary, flags }) => ({
    name,
    arguments: [
      ...(argument === undefined ? [] : [{ name: argument, choices: argumentChoices }]),
      ...(further === undefined ? [] : [{ name: further, optional: isFurtherOptional ? true : undefined }]),
    ],
    summary,
    flags: flags.map(({ name: flag, short, path, valueType, description, default: value, section }) => ({
      name: flag,
      short,
      option: path.join('.'),
      value: valueType,
      description,
      default: value,
      section,
    })),
  })),
  exitCodes: Object.fromEntries(EXIT_CODES),
})

/** Writes the manual page of the program, for `man`. @param version of the package */
function writeManual(commands: readonly ListedCommand[], version: string): string {
  const flags = groupFlags(commands, (flag) => JSON.stringify([flag.name, printFlag(flag)]))
  const sections = [...new Set(flags.map(({ flag }) => flag.section))]
  return [
    `.TH TRAWL 1 "" "trawl ${escape(version)}" "User Commands"`,
    '.SH NAME',
    'trawl \\- scrape and crawl web sites, and give their pages as Markdown',
    '.SH SYNOPSIS',
    '.B trawl',
    '.I command',
    '.RI [ argument ]',
    '.RI [ flags ]',
    '.SH COMMANDS',
    ...commands.flatMap((command) => tagged(nameCommand(command), command.summary)),
    ...sections.flatMap((section) => [
      `.SH "${escape(section.toUpperCase())}"`,
      ...flags
        .filter(({ flag }) => flag.section === section)
        .flatMap(({ flag, commands: takers }) => {
          const { name, description } = printFlag(flag)
          const owners = takers.length === commands.length ? 'all commands' : takers.join(', ')
          return tagged(name, `${description}. (${owners})`)
        }),
    ]),
    '.SH "EXIT STATUS"',
    ...EXIT_CODES.flatMap(([code, meaning]) => tagged(code, meaning)),
    '.SH ENVIRONMENT',
    ...tagged('TRAWL_MODEL_KEY', 'API key of the endpoint of --model-url.'),
    ...tagged('PGPASSWORD', 'Password of the database of --database, if its address has none.'),
    '.SH EXAMPLES',
    ...EXAMPLES.flatMap(([command, meaning], at) => [
      ...(at === 0 ? [] : ['.PP']),
      escapeLine(meaning),
      '.PP',
      '.RS',
      '.nf',
      escapeLine(command),
      '.fi',
      '.RE',
    ]),
    '',
  ].join('\n')
}

const EXAMPLES = [
  ['trawl scrape https://example.com', 'Print a page as Markdown:'],
  ['trawl crawl https://books.toscrape.com/ --limit 50 --output books/', 'Crawl a site into a folder:'],
  ['trawl map https://example.com | trawl batch - > pages.ndjson', 'Scrape every URL of a site:'],
] as const

const tagged = (tag: string, text: string): string[] => ['.TP', `.B ${escape(tag)}`, escapeLine(text)]

/** Escapes a text that begins a line, where a dot or an apostrophe would begin a request. */
const escapeLine = (text: string): string => `\\&${escape(text)}`

/** Escapes what roff reads as something else: backslashes, and dashes that it would print as hyphens. */
const escape = (text: string): string => text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq')
