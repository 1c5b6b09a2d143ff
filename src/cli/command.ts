import type { Engine } from '../index.js'
import type { CommandOptions } from './flags/command-flags.js'
import type { Flag } from './flags/flag.js'
import type { Interrupt } from './interrupt.js'
import type { Terminal } from './output/terminal.js'

/** What a command is run with. */
export interface Invocation {
  /** The one argument that is no flag. */
  readonly argument: string
  /** What the flags say of the request; the engine checks it. */
  readonly request: Readonly<Record<string, unknown>>
  readonly options: CommandOptions
  /** The flags of the command, for whoever has to name one. */
  readonly flags: readonly Flag[]
  readonly engine: Engine
  readonly terminal: Terminal
  readonly interrupt: Interrupt
}

/** One command of `trawl`. Plug-ins of `cli/commands/` implement this. */
export interface Command {
  /** As it is typed. */
  readonly name: string
  /** What its one argument is: `URL`. */
  readonly argument: string
  /** What it does, for the help. */
  readonly summary: string
  /** Every flag that it takes, apart from those of the engine. */
  flags(): readonly Flag[]
  /**
   * @returns the exit code
   * @throws UsageError when what was typed cannot be done
   */
  run(invocation: Invocation): Promise<number>
}
