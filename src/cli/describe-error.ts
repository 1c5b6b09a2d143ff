import { type ErrorCode, TrawlError } from '../index.js'
import type { Command } from './command.js'
import { exitCodes } from './exit-codes.js'
import type { Flag } from './flags/flag.js'
import type { Interrupt } from './interrupt.js'
import { isReaderGone } from './terminal/terminal.js'
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

/** An error of a command, as `--json` prints it: `{"error": …}`. */
interface ErrorRecord {
  /** Code of the error; `INTERRUPTED` after a signal, and that of the system, such as `ENOENT`, for one of files. */
  readonly code: ErrorCode | 'INTERRUPTED' | (string & {})
  readonly message: string
  /** Every problem of the command and its request, in terms of flags; only if nothing was started. */
  readonly problems?: readonly string[]
}

/** Describes an error of a command for programs; undefined if it needs no message. */
export function toErrorRecord(
  error: unknown,
  { flags }: FailedCommand,
  { signal }: Interrupt,
): ErrorRecord | undefined {
  if (isReaderGone(error)) return undefined
  if (signal.aborted && error === signal.reason) return { code: 'INTERRUPTED', message: 'Interrupted.' }
  if (error instanceof UsageError) {
    const { problems } = error
    return { code: 'BAD_REQUEST', message: problems.join('; '), problems }
  }
  if (error instanceof TrawlError) return { code: error.code, message: nameFlags(error.message, flags) }
  const message = error instanceof Error ? error.message : String(error)
  const isOfSystem = error instanceof Error && 'syscall' in error && 'code' in error
  return { code: isOfSystem ? String(error.code) : 'UNKNOWN_ERROR', message }
}

/** Returns the exit code for an error of a command. A reader of standard output that is gone is no failure. */
export function exitCodeForError(error: unknown): number {
  if (isReaderGone(error)) return exitCodes.ok
  return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
}
