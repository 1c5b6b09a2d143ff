import { readFileSync } from 'node:fs'
import { createEngine, type LanguageModel, TrawlError } from '../index.js'
import { findSimilarName } from '../options/issues/similar-name.js'
import type { Command } from './command.js'
import * as registry from './commands/index.js'
import { engineFlags } from './flags/engine-flags.js'
import { exitCodes } from './exit-codes.js'
import { withUsageErrors, nameFlags } from './to-usage-error.js'
import type { Flag } from './flags/flag.js'
import { modelFlags, createModel } from './flags/model-flags.js'
import { printCommandHelp, printHelp } from './help.js'
import type { Interrupt } from './interrupt.js'
import { readArguments, type Arguments } from './flags/read-arguments.js'
import { isReaderGone, type Terminal } from './output/terminal.js'
import { UsageError } from './usage-error.js'

type Environment = Parameters<typeof createModel>[1]

const commands: readonly Command[] = Object.values(registry)

/** All flags of a command, including those of the engine. */
export const flagsOf = (command: Command): readonly Flag[] => [...command.flags(), ...modelFlags(), ...engineFlags()]

/**
 * Runs the program, and prints errors.
 *
 * @param typed arguments after `trawl`
 * @param environment source of the language model's API key
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
    if (command) return await runCommand({ command, typed: rest, terminal, interrupt, environment })
    if (name === '--version') await terminal.print(`${readVersion()}\n`)
    else if (name === '--help' || name === '-h') await terminal.print(`${printHelp(commands, terminal.width)}\n`)
    else throw new UsageError([describeUnknownCommand(name)])
    return exitCodes.ok
  } catch (error) {
    for (const line of describeError(error, command, interrupt)) terminal.report(line)
    return interrupt.exitCode ?? exitCodeFor(error)
  }
}

/** A command with its arguments, not parsed yet. */
interface CommandCall {
  readonly command: Command
  readonly typed: readonly string[]
  readonly terminal: Terminal
  readonly interrupt: Interrupt
  readonly environment: Environment
}

async function runCommand({ command, typed, terminal, interrupt, environment }: CommandCall): Promise<number> {
  const flags = flagsOf(command)
  const { positionals, values, problems } = readArguments(typed, flags, findCommandsWithFlag)
  const { command: options } = values
  if (options['help'] === true) {
    await terminal.print(`${printCommandHelp(command, flags, terminal.width)}\n`)
    return exitCodes.ok
  }
  if (problems.length > 0) throw new UsageError(problems)
  const [argument, ...more] = positionals
  if (argument === undefined) throw new UsageError([`${command.argument} is missing`])
  if (more.length > 0) throw new UsageError([`only one ${command.argument} is taken: what is ${more.join(' ')}?`])
  await using engine = withUsageErrors(
    flags,
    () => command.argument,
    () => createEngine(createConfig(values, createModel(options, environment))),
  )
  return await command.run({ argument, request: values.request, options, flags, engine, terminal, interrupt })
}

/**
 * Builds the engine's configuration. There is one job, so its concurrency is the engine's. Without a folder the cache
 * would end with the process, so it is off.
 */
function createConfig({ request, engine }: Arguments['values'], model: LanguageModel | undefined): object {
  const { maxConcurrency } = request
  const pace = maxConcurrency === undefined ? {} : { maxConcurrency }
  return { allowPrivateNetworks: true, cache: false, ...pace, ...(model && { model }), ...engine }
}

const findCommandsWithFlag = (name: string): string[] =>
  commands.filter((command) => command.flags().some((flag) => flag.name === name)).map((command) => command.name)

function describeUnknownCommand(name: string): string {
  if (name === '') return 'no command was given'
  const names = [...commands.map((command) => command.name), '--help', '--version']
  const meant = findSimilarName(name, names)
  return `${name} is no command${meant === undefined ? `: there are ${names.join(', ')}` : `: did you mean ${meant}?`}`
}

/** Describes an error, line by line. */
function describeError(error: unknown, command: Command | undefined, { signal }: Interrupt): readonly string[] {
  // The reader of standard output has closed it: not an error.
  if (isReaderGone(error)) return []
  if (signal.aborted && error === signal.reason) return ['Interrupted.']
  if (error instanceof UsageError) {
    const help = `\`trawl ${command ? `${command.name} ` : ''}--help\` shows what there is`
    return [...error.problems.map((problem) => `trawl: ${problem}`), help]
  }
  if (error instanceof TrawlError) {
    return [`trawl: ${error.code}: ${nameFlags(error.message, command ? flagsOf(command) : [])}`]
  }
  if (!(error instanceof Error)) return [`trawl: ${String(error)}`]
  // System errors are meant for the user; any other error is a defect, and its stack helps to fix it.
  return 'syscall' in error ? [`trawl: ${error.message}`] : `trawl: ${error.stack ?? error.message}`.split('\n')
}

function exitCodeFor(error: unknown): number {
  if (isReaderGone(error)) return exitCodes.ok
  return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}
