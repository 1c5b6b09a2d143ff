import type { Command, Program } from '../command.js'
import { EXIT_CODES, exitCodes } from '../exit-codes.js'
import { plainCommandFlags } from '../flags/command-flags.js'
import { writeManual } from '../shells/manual.js'

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
