import type { Invocation } from '../command.js'
import { strictExitCode } from '../exit-codes.js'
import { nameFlags } from '../to-usage-error.js'

/** Result of a command, with its warnings. */
interface Findings {
  /** As JSON, which has its warnings itself. */
  readonly json: object
  readonly lines: readonly string[]
  readonly warnings: readonly string[]
}

/** Prints what a command has found, as its flags say. @returns the exit code: incomplete with a warning, if that is strict */
export async function printFindings(
  { json, lines, warnings }: Findings,
  { options, flags, terminal }: Invocation,
): Promise<number> {
  if (options.json === true) await terminal.print(`${JSON.stringify(json)}\n`)
  else for (const line of lines) await terminal.printLine(line)
  if (options.json !== true && options.quiet !== true)
    for (const warning of warnings) terminal.report(`Warning: ${nameFlags(warning, flags)}`)
  return strictExitCode(options, warnings.length > 0)
}
