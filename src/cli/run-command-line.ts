import { readFileSync } from 'node:fs'
import { createEngine, type Engine, type LanguageModel, type Ledger, sqlite, type EngineConfig } from '../index.js'
import { findSimilarName } from '../base/issues/similar-name.js'
import type { Command, NamedArgument, Program } from './command.js'
import * as registry from './commands/index.js'
import { describeError, exitCodeForError, toErrorRecord } from './describe-error.js'
import { exitCodes } from './exit-codes.js'
import { createLedger } from './flags/database-flags.js'
import { engineFlags } from './flags/engine-flags.js'
import type { Flag } from './flags/flag.js'
import { createModel, modelFlags } from './flags/model-flags.js'
import { type Arguments, readArguments } from './flags/read-arguments.js'
import { HELP_ALL, printCommandHelp, printHelp, printShortHelp } from './help.js'
import type { Interrupt } from './interrupt.js'
import { findWaitingFiles } from './output/saved-files.js'
import { removeWaiting, waitingMedia } from './output/waiting-files.js'
import type { Terminal } from './terminal/terminal.js'
import { withUsageErrors } from './to-usage-error.js'
import { UsageError } from './usage-error.js'
import { variablesFor } from './variables-for.js'

type Environment = Parameters<typeof createModel>[1]

const commands: readonly Command[] = Object.values(registry)

/** Lists all flags of a command, including those of the engine and the model. */
export const flagsOf = (command: Command): readonly Flag[] =>
  command.scrapesNothing ? command.flags() : [...command.flags(), ...modelFlags(), ...engineFlags()]

/**
 * Runs the program, and prints its errors.
 *
 * @param typed arguments after `trawl`
 * @param environment variables, of which the API key of the language model is read, and secrets that the command names
 * @returns the exit code
 */
export async function runCommandLine(
  typed: readonly string[],
  terminal: Terminal,
  interrupt: Interrupt,
  environment: Environment = {},
): Promise<number> {
  const [name = '', ...rest] = typed[0] === 'help' ? toHelp(typed) : typed
  const command = commands.find((candidate) => candidate.name === name)
  // Known before the flags are checked, because their errors are JSON as well.
  if (rest.some((argument) => argument === '--json' || argument === '--json=true')) terminal.useJson()
  try {
    if (command) return await runCommand({ command, typed: rest, terminal, interrupt, environment })
    if (name === '--version' || name === '-V') await terminal.print(`${readVersion()}\n`)
    else if (name === '--help' || name === '-h') await terminal.print(`${printHelp(commands, terminal.width)}\n`)
    else throw new UsageError([describeUnknownCommand(name)])
    return exitCodes.ok
  } catch (error) {
    const failed = { command, flags: command ? flagsOf(command) : [] }
    const record = terminal.isJson ? toErrorRecord(error, failed, interrupt) : undefined
    if (record) terminal.reportJson({ error: record })
    else for (const line of describeError(error, failed, interrupt)) terminal.report(line)
    return interrupt.exitCode ?? exitCodeForError(error)
  }
}

/** `help` is said in words: `help crawl`. Flags beside them, such as `--json`, have nothing to add. */
const toHelp = (typed: readonly string[]): string[] => [
  ...typed.slice(1).filter((word) => !word.startsWith('-') || word === HELP_ALL),
  '--help',
]

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
  const wantsAll = typed.includes(HELP_ALL)
  const { positionals, values, problems } = readArguments(
    typed.filter((argument) => argument !== HELP_ALL),
    flags,
    findCommandsWithFlag,
    (name) => findMeant(name, command),
  )
  const { command: options } = values
  if (wantsAll || options['help'] === true) {
    const print = wantsAll ? printCommandHelp : printShortHelp
    await terminal.print(`${print(command, flagsOf(command), terminal.width)}\n`)
    return exitCodes.ok
  }
  if (problems.length > 0) throw new UsageError(problems)
  if (values.request['since'] !== undefined && values.engine['snapshots'] === undefined)
    throw new UsageError(['--since: needs --snapshots FOLDER, which keeps each crawl for the next one'])
  const argument = readArgument(command, positionals.slice(0, command.further === undefined ? undefined : 1))
  const further = command.further === undefined ? '' : readFurther(command, positionals.slice(1))
  const waiting = findWaitingFiles(options, values.engine['media'])
  const { openLedger } = commands.find((one) => one.openLedger) ?? {}
  const ledger = command.ledgerOf ? sqlite(command.ledgerOf(argument, options)) : createLedger(options, openLedger)
  try {
    const resume = showResumed(options, terminal, () => engine)
    await using engine: Engine = withUsageErrors(
      flags,
      () => command.argument ?? command.name,
      () => {
        if (typeof options.replay === 'string') return openArchive(options.replay)
        const config = createConfig(command, values, {
          model: createModel(options, environment),
          ledger,
          env: variablesFor(command, environment, values),
        })
        const snapshots = command.snapshotsOf?.(argument, further)
        return createEngine({ snapshots, media: waiting && waitingMedia(waiting), ...config, ...resume })
      },
    )
    const { request } = values
    const hasMedia = values.engine['media'] !== undefined
    const call = { argument, further, request, options, flags, engine, ledger, waiting, hasMedia, terminal, interrupt }
    return await command.run({ ...call, program: describeProgram })
  } finally {
    // Also where the output is refused after the page has come. The engine is closed by now.
    if (waiting && !waiting.isKept) removeWaiting(waiting)
  }
}

/** Lists the commands with their flags, and reads the version. */
const describeProgram = (): Program => ({
  commands: commands.map((command) => ({ ...command, flags: flagsOf(command) })),
  version: readVersion(),
})

/** Reads the positional argument of a command. @throws UsageError */
function readArgument(
  { name, argument, argumentChoices, isArgumentOptional }: NamedArgument,
  positionals: readonly string[],
): string {
  const [first, ...more] = positionals
  if (argument === undefined && first !== undefined)
    throw new UsageError([`${name} takes no argument, and ${positionals.join(' ')} was given`])
  if (argument !== undefined && first === undefined && isArgumentOptional === undefined)
    throw new UsageError([`${argument} is missing${argumentChoices ? `: one of ${argumentChoices.join(', ')}` : ''}`])
  if (first === '') throw new UsageError([`${argument} is empty: is a variable of the shell not set?`])
  if (more.length > 0) {
    const isOfFlag = argument === 'URL' && more.every((word) => /^\w+$/.test(word))
    const advice = isOfFlag ? ': a flag takes several values as --flag=one --flag=two' : ''
    throw new UsageError([`only one ${argument} is allowed, and ${more.join(' ')} was given as well${advice}`])
  }
  if (argument === 'FILE' && first !== undefined && /^https?:\/\//i.test(first))
    throw new UsageError([`FILE: ${first} is a URL, and no file: \`trawl scrape ${first}\` scrapes it`])
  if (first !== undefined && argumentChoices?.includes(first) === false)
    throw new UsageError([`${argument}: ${JSON.stringify(first)} is none of ${argumentChoices.join(', ')}`])
  return first ?? ''
}

/** Reads the second positional argument of a command. @throws UsageError */
const readFurther = ({ name, further = '', isFurtherOptional }: Command, positionals: readonly string[]): string =>
  isFurtherOptional && positionals.length === 0 ? '' : readArgument({ name, argument: further }, positionals)

/**
 * Creates the engine's configuration. There is one job, so the engine has its concurrency. Without a folder, the cache
 * would end with the process, so it is off.
 */
function createConfig(
  { servesOthers }: Command,
  { request, engine }: Arguments['values'],
  parts: {
    readonly model: LanguageModel | undefined
    readonly ledger: Ledger | undefined
    readonly env: Environment
  },
): object {
  const { maxConcurrency } = request
  return {
    allowPrivateNetworks: servesOthers !== true,
    cache: false,
    maxConcurrency,
    ...parts,
    ...engine,
  }
}

/** Creates an engine whose pages come from an archive. @throws UsageError in a program that reads none */
function openArchive(path: string): Engine {
  if (path === '') throw new UsageError(['--replay: "" is no path of an archive'])
  const { openArchive: open } = commands.find((one) => one.openArchive) ?? {}
  if (!open) throw new UsageError(['--replay: this program reads no archives'])
  return open(path)
}

/** Finds what a flag asks for that a command does not have: its argument, or another command. */
function findMeant(name: string, command: Command): string | undefined {
  if (name === command.argument?.toLowerCase()) return `${command.argument} without a flag`
  const other = commands.find((one) => one !== command && one.insteadOf?.includes(name))
  return other && `\`trawl ${other.name}\``
}

/** Finds the names of the commands that have a flag. */
const findCommandsWithFlag = (name: string): string[] =>
  commands.filter((command) => command.flags().some((flag) => flag.name === name)).map((command) => command.name)

function describeUnknownCommand(name: string): string {
  if (name === '') return 'no command was given'
  if (/^https?:\/\/|^[\w-]+(?:\.[\w-]+)+(?:\/|$)/i.test(name))
    return `${name} is no command: \`trawl scrape ${name}\` scrapes a page, \`trawl crawl ${name}\` a site`
  const names = [...commands.map((command) => command.name), '--help', '--version']
  const similar = findSimilarName(name, names)
  return `${name} is no command: ${similar === undefined ? `there are ${names.join(', ')}` : `did you mean ${similar}?`}`
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}

/** Flags of a command that matter for resuming. */
interface ResumeFlags {
  readonly resume?: boolean
  readonly quiet?: boolean
  readonly database?: string
}

/**
 * Returns the setting `resume` of a command's engine, which reports the jobs that are continued, and why others are not.
 *
 * @param getEngine returns the engine, which does not exist yet
 */
function showResumed(
  { resume = false, quiet = false, database }: ResumeFlags,
  terminal: Terminal,
  getEngine: () => Engine,
): { resume: EngineConfig['resume'] } {
  // Without a database, the command says that it is missing.
  if (!resume || quiet || database === undefined) return { resume: resume && database !== undefined }
  return {
    resume: {
      onJob(id) {
        terminal.report(`Job ${id} is continued`)
        const follow = async (): Promise<void> => {
          const job = await getEngine().job(id)
          job?.on('finished', ({ status, completed, failed }) =>
            terminal.report(`Job ${id} ${status}: ${completed} done, ${failed} failed`),
          )
        }
        // The engine may have been closed meanwhile.
        follow().catch(() => undefined)
      },
      onError: ({ code, message }) => terminal.report(`${code}: ${message}`),
    },
  }
}
