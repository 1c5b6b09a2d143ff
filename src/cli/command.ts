import type { Engine, Ledger } from '../index.js'
import type { CommandOptions } from './flags/command-flags.js'
import type { OpenLedger } from './flags/database-flags.js'
import type { Flag } from './flags/flag.js'
import type { Interrupt } from './interrupt.js'
import type { WaitingFiles } from './output/output.js'
import type { Terminal } from './terminal/terminal.js'

/** The program, for the commands that describe it. */
export interface Program {
  readonly commands: readonly ListedCommand[]
  readonly version: string
}

/** Input of a command. */
export interface Invocation {
  /** Positional argument, such as a URL; empty for a command that takes none. */
  readonly argument: string
  /** Second positional argument; empty without one. */
  readonly further: string
  /** Request from the flags, not checked yet: the engine checks it. */
  readonly request: Readonly<Record<string, unknown>>
  readonly options: CommandOptions
  /** All flags of the command, for messages. */
  readonly flags: readonly Flag[]
  readonly engine: Engine
  /** The ledger of the engine, which closes it; undefined for one that ends with the command. */
  readonly ledger: Ledger | undefined
  /** Folder in which files wait until `--output` has their pages. @default none */
  readonly waiting?: WaitingFiles
  /** True if `--media` has a place for files. */
  readonly hasMedia: boolean
  readonly terminal: Terminal
  readonly interrupt: Interrupt
  /** Lists all commands of the program with their flags, and its version. */
  readonly program: () => Program
}

/** The name of a command, and its positional argument. */
export interface NamedArgument {
  /** Name on the command line. */
  readonly name: string
  /** Name of its positional argument, such as `URL`; absent when it takes none. */
  readonly argument?: string
  /** True when the argument may be left out; `by-flag` where a flag stands for it then, so that usages show it as needed. @default false */
  readonly isArgumentOptional?: true | 'by-flag'
  /** Words that its argument may be; any others are refused. @default any */
  readonly argumentChoices?: readonly string[]
}

/** Facts of a command that the help, the completions and the manual list, beside its flags. */
export interface CommandFacts extends NamedArgument {
  /** Name of its second positional argument; absent when it takes none. */
  readonly further?: string
  /** True when the second positional argument may be left out. @default false */
  readonly isFurtherOptional?: true
  /** Description for the help. */
  readonly summary: string
  /** Flags of other programs that ask for what it does: given to another command, they name it. @default none */
  readonly insteadOf?: readonly string[]
  /** Complete command line for the help, and what it does. */
  readonly example: readonly [line: string, meaning: string]
  /** Names of the flags in its short help, in order; `--help=all` has the others. @default all */
  readonly mainFlags?: readonly string[]
  /** True when it scrapes nothing, so that it has no flags of the engine and the model. @default false */
  readonly scrapesNothing?: true
  /** Path of the SQLite ledger of a command that keeps one, from its argument. @default none */
  readonly ledgerOf?: (argument: string, options: CommandOptions) => string
  /** Folder of snapshots of a command that needs some, from its arguments; `--snapshots` comes first. @default none */
  readonly snapshotsOf?: (argument: string, further: string) => string | undefined
  /** True when others choose the URLs, so that private networks are refused without their flag. @default false */
  readonly servesOthers?: true
  /** Opens the ledger at the address of a server, for every command with `--database`. Absent for a command that knows none. */
  readonly openLedger?: OpenLedger
  /** Creates an engine whose pages come from an archive, for every command with `--replay`. Absent for a command that reads none. */
  readonly openArchive?: (path: string) => Engine
}

/** Command of the command line. The plug-ins in `src/cli/commands/` implement it. */
export interface Command extends CommandFacts {
  /** Lists its flags, without those of the engine and the model. */
  flags(): readonly Flag[]
  /**
   * Runs the command.
   *
   * @returns the exit code
   * @throws UsageError for invalid arguments
   */
  run(invocation: Invocation): Promise<number>
}

/** A command with all of its flags, as the help, the completions and the manual list it. */
export interface ListedCommand extends CommandFacts {
  readonly flags: readonly Flag[]
}
