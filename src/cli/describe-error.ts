import { TrawlError } from '../index.js'
import type { Command } from './command.js'
import { exitCodes } from './exit-codes.js'
import type { Flag } from './flags/flag.js'
import type { Interrupt } from './interrupt.js'
import { isReaderGone } from './output/terminal.js'
import { nameFlags } from './to-usage-error.js'
import { UsageError } from './usage-error.js'

/** Command that failed, and its flags. */
interface FailedCommand {
  readonly command: Command | undefined
  readonly flags: readonly Flag[]
}

/** Describes an error of a command for standard error, line by line. Empty if it needs no message. */
export function describeError(
  error: unknown,
  { command, flags }: FailedCommand,
  { signal }: Interrupt,
): readonly string[] {
  if (isReaderGone(error)) return []
  if (signal.aborted && error === signal.reason) return ['Interrupted.']
  if (error instanceof UsageError) {
    const help = `\`trawl ${command ? `${command.name} ` : ''}--help\` shows what there is`
    return [...error.problems.map((problem) => `trawl: ${problem}`), help]
  }
  if (error instanceof TrawlError) return [`trawl: ${error.code}: ${nameFlags(error.message, flags)}`]
  if (!(error instanceof Error)) return [`trawl: ${String(error)}`]
  // System errors are meant for the user. Any other error is a defect, and its stack helps to fix it.
  return 'syscall' in error ? [`trawl: ${error.message}`] : `trawl: ${error.stack ?? error.message}`.split('\n')
}

/** Returns the exit code for an error of a command. A reader of standard output that is gone is no failure. */
export function exitCodeForError(error: unknown): number {
  if (isReaderGone(error)) return exitCodes.ok
  return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
}
