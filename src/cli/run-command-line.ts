import { readFileSync } from 'node:fs'
import { createEngine, type LanguageModel, TrawlError } from '../index.js'
import { findNearMiss } from '../options/issues/near-miss.js'
import type { Command } from './command.js'
import * as registry from './commands/index.js'
import { engineFlags } from './flags/engine-flags.js'
import { exitCodes } from './exit-codes.js'
import { explaining, speakOfFlags } from './explain-error.js'
import type { Flag } from './flags/flag.js'
import { modelFlags, openModel } from './flags/model-flags.js'
import { printCommandHelp, printHelp } from './help.js'
import type { Interrupt } from './interrupt.js'
import { readArguments, type Arguments } from './flags/read-arguments.js'
import { isReaderGone, type Terminal } from './output/terminal.js'
import { UsageError } from './usage-error.js'

type Environment = Parameters<typeof openModel>[1]

const commands: readonly Command[] = Object.values(registry)

/** Every flag of a command, those of the engine included. */
export const flagsOf = (command: Command): readonly Flag[] => [...command.flags(), ...modelFlags(), ...engineFlags()]

/**
 * Does what was typed after `trawl`, and says what went wrong.
 *
 * @param environment where the key of a language model is looked for
 * @returns the exit code
 */
export async function runCommandLine(
  typed: readonly string[],
  terminal: Terminal,
  interrupt: Interrupt,
  environment: Environment = {},
): Promise<number> {
  const [name = '', ...rest] = typed
  const command = commands.find((candidate) => candidate.name === name)
  try {
    if (command) return await runCommand(command, rest, terminal, interrupt, environment)
    if (name === '--version') await terminal.print(`${readVersion()}\n`)
    else if (name === '--help' || name === '-h') await terminal.print(`${printHelp(commands, terminal.width)}\n`)
    else throw new UsageError([describeUnknown(name)])
    return exitCodes.ok
  } catch (error) {
    for (const line of describeError(error, command, interrupt)) terminal.say(line)
    return interrupt.exitCode ?? judgeError(error)
  }
}

async function runCommand(
  command: Command,
  typed: readonly string[],
  terminal: Terminal,
  interrupt: Interrupt,
  environment: Environment,
): Promise<number> {
  const flags = flagsOf(command)
  const { positionals, values, problems } = readArguments(typed, flags, findOwners)
  const { command: options } = values
  if (options['help'] === true) {
    await terminal.print(`${printCommandHelp(command, flags, terminal.width)}\n`)
    return exitCodes.ok
  }
  if (problems.length > 0) throw new UsageError(problems)
  const [argument, ...more] = positionals
  if (argument === undefined) throw new UsageError([`${command.argument} is missing`])
  if (more.length > 0) throw new UsageError([`only one ${command.argument} is taken: what is ${more.join(' ')}?`])
  await using engine = explaining(
    flags,
    () => command.argument,
    () => createEngine(configure(values, openModel(options, environment))),
  )
  return await command.run({ argument, request: values.request, options, flags, engine, terminal, interrupt })
}

/** Pages at once are those of the one job. Without a folder nothing outlives the process: nothing is worth remembering. */
function configure({ request, engine }: Arguments['values'], model: LanguageModel | undefined): object {
  const { maxConcurrency } = request
  const pace = maxConcurrency === undefined ? {} : { maxConcurrency }
  return { allowPrivateNetworks: true, cache: false, ...pace, ...(model && { model }), ...engine }
}

const findOwners = (name: string): string[] =>
  commands.filter((command) => command.flags().some((flag) => flag.name === name)).map((command) => command.name)

function describeUnknown(name: string): string {
  if (name === '') return 'no command was given'
  const names = [...commands.map((command) => command.name), '--help', '--version']
  const meant = findNearMiss(name, names)
  return `${name} is no command${meant === undefined ? `: there are ${names.join(', ')}` : `: did you mean ${meant}?`}`
}

/** What is said about an error, line by line. */
function describeError(error: unknown, command: Command | undefined, { signal }: Interrupt): readonly string[] {
  // Whoever read has seen enough: neither an error nor anything to speak of.
  if (isReaderGone(error)) return []
  if (signal.aborted && error === signal.reason) return ['Interrupted.']
  if (error instanceof UsageError) {
    const help = `\`trawl ${command ? `${command.name} ` : ''}--help\` shows what there is`
    return [...error.problems.map((problem) => `trawl: ${problem}`), help]
  }
  if (error instanceof TrawlError) {
    return [`trawl: ${error.code}: ${speakOfFlags(error.message, command ? flagsOf(command) : [])}`]
  }
  if (!(error instanceof Error)) return [`trawl: ${String(error)}`]
  // What the operating system says is for the user; anything else is a defect, and its place helps to mend it.
  return 'syscall' in error ? [`trawl: ${error.message}`] : `trawl: ${error.stack ?? error.message}`.split('\n')
}

function judgeError(error: unknown): number {
  if (isReaderGone(error)) return exitCodes.ok
  return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}
