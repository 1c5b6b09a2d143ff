import type { Engine } from '../index.js'
import type { CommandOptions } from './flags/command-flags.js'
import type { Flag } from './flags/flag.js'
import type { Interrupt } from './interrupt.js'
import type { Terminal } from './output/terminal.js'

/** Input of a command. */
export interface Invocation {
  /** The positional argument. */
  readonly argument: string
  /** The request from the flags; the engine validates it. */
  readonly request: Readonly<Record<string, unknown>>
  readonly options: CommandOptions
  /** The flags of the command, for messages. */
  readonly flags: readonly Flag[]
  readonly engine: Engine
  readonly terminal: Terminal
  readonly interrupt: Interrupt
}

/** A command of `trawl`. Plug-ins of `cli/commands/` implement this. */
export interface Command {
  /** Name on the command line. */
  readonly name: string
  /** Name of its positional argument, such as `URL`. */
  readonly argument: string
  /** Description for the help. */
  readonly summary: string
  /** Its flags, without those of the engine. */
  flags(): readonly Flag[]
  /**
   * @returns the exit code
   * @throws UsageError for invalid arguments
   */
  run(invocation: Invocation): Promise<number>
}
