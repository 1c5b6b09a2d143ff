import type { Command, ListedCommand } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { plainCommandFlags } from '../flags/command-flags.js'
import { writeBashCompletion } from '../shells/bash.js'
import { writeFishCompletion } from '../shells/fish.js'
import { writeZshCompletion } from '../shells/zsh.js'

/** Writers of completion scripts, by shell. */
const WRITERS: ReadonlyMap<string, (commands: readonly ListedCommand[]) => string> = new Map([
  ['bash', writeBashCompletion],
  ['zsh', writeZshCompletion],
  ['fish', writeFishCompletion],
])

/** `trawl completion SHELL` prints a completion script, made from the definitions of the commands and their flags. */
export const completionCommand: Command = {
  name: 'completion',
  argument: 'SHELL',
  argumentChoices: [...WRITERS.keys()],
  summary:
    'Prints the script that completes commands, flags and values in a shell: bash, zsh or fish. For bash: source <(trawl completion bash).',
  example: ['source <(trawl completion bash)', 'Completes commands, flags and values in this shell:'],
  scrapesNothing: true,
  flags: () => plainCommandFlags,
  run: async ({ argument: shell, options, program, terminal }) => {
    const script = WRITERS.get(shell)?.(program().commands) ?? ''
    await terminal.print(options.json === true ? `${JSON.stringify({ shell, script })}\n` : script)
    return exitCodes.ok
  },
}
