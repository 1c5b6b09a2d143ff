import { parseArgs } from 'node:util'
import { findSimilarName } from '../../base/issues/similar-name.js'
import { findForeignFlag } from './foreign-flags.js'
import { isSwitch, type Flag, type FlagTarget } from './flag.js'
import type { ValueType } from './flag-options.js'

/** Parsed arguments of a command. */
export interface Arguments {
  /** Arguments that are not flags, in order. */
  readonly positionals: readonly string[]
  /** Values of the flags, by target. */
  readonly values: Readonly<Record<FlagTarget, Record<string, unknown>>>
  /** All problems found; empty for valid arguments. */
  readonly problems: readonly string[]
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number]
type OptionToken = Extract<Token, { kind: 'option' }>

/**
 * Parses the arguments of a command.
 *
 * @param findOwners returns the names of the commands that have a flag, for a flag that this command does not have
 * @param findMeant returns what a flag of another program asks for, where it is no flag of this one: a command, an argument
 */
export function readArguments(
  typed: readonly string[],
  flags: readonly Flag[],
  findOwners: (name: string) => readonly string[] = () => [],
  findMeant: (name: string) => string | undefined = () => undefined,
): Arguments {
  const byName = new Map(flags.flatMap((flag) => namesOf(flag).map((name) => [name, flag] as const)))
  const options = Object.fromEntries([...byName].map(([name, flag]) => [name, toParserOption(name, flag)]))
  // Strict parsing would stop at the first problem.
  const { tokens } = parseArgs({ args: [...typed], options, strict: false, tokens: true })
  const values: Arguments['values'] = { request: {}, engine: {}, command: {} }
  const problems: string[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'option') continue
    const flag = byName.get(token.name)
    const read = flag
      ? readToken(token, flag, { byName, next: tokens[at + 1] })
      : { problem: describeUnknownFlag(token, byName, findOwners, findMeant) }
    if ('problem' in read) problems.push(`${token.rawName} ${read.problem}`)
    else if (flag) setAtPath(values[flag.target], flag.path, read.value)
  }
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  return { positionals, values, problems }
}

const namesOf = (flag: Flag): string[] => (isSwitch(flag) ? [flag.name, `no-${flag.name}`] : [flag.name])

const toParserOption = (name: string, flag: Flag) => ({
  type: isSwitch(flag) ? ('boolean' as const) : ('string' as const),
  ...(flag.short !== undefined && name === flag.name ? { short: flag.short } : {}),
})

/** Surroundings of a flag on the command line. */
interface FlagContext {
  readonly byName: ReadonlyMap<string, Flag>
  /** Token after the flag. */
  readonly next: Token | undefined
}

function readToken(token: OptionToken, flag: Flag, { byName, next }: FlagContext) {
  const { value, inlineValue, name } = token
  if (isSwitch(flag)) {
    // Otherwise it would be taken for an argument of the command.
    if (value === undefined && next?.kind === 'positional' && /^(true|false)$/.test(next.value))
      return { problem: `takes no value: it is --${flag.name} or --no-${flag.name}` }
    if (name !== flag.name) return value === undefined ? { value: false } : { problem: 'takes no value' }
    return value === undefined ? { value: true } : readValue(value, flag.valueType)
  }
  const isMissing = value === undefined || (!inlineValue && looksLikeFlag(value, byName))
  return isMissing ? { problem: `needs a value: --${flag.name}=…` } : readValue(value, flag.valueType)
}

const looksLikeFlag = (value: string, byName: ReadonlyMap<string, Flag>): boolean =>
  value.startsWith('--') && byName.has(value.slice(2).split('=', 1)[0] ?? '')

function describeUnknownFlag(
  { name }: OptionToken,
  byName: ReadonlyMap<string, Flag>,
  findOwners: (name: string) => readonly string[],
  findMeant: (name: string) => string | undefined,
): string {
  const foreign = findForeignFlag(name, new Set(byName.keys()))
  if (foreign.length > 0) return `is no flag: did you mean ${foreign.map((usage) => `--${usage}`).join(' or ')}?`
  const meant = findMeant(name)
  if (meant !== undefined) return `is no flag: did you mean ${meant}?`
  const owners = findOwners(name)
  if (owners.length > 0) {
    const named = owners.map((owner) => `\`trawl ${owner}\``)
    const last = named.pop() ?? ''
    return `is a flag of ${named.length === 0 ? last : `${named.join(', ')} and ${last}`}, not of this command`
  }
  const similar = findSimilarName(name, [...byName.keys()])
  return `is no flag${similar === undefined ? '' : `: did you mean --${similar}?`}`
}

/** Sets the value at a path in an object, and keeps the values beside it. */
function setAtPath(target: Record<string, unknown>, [first, ...rest]: readonly string[], value: unknown): void {
  if (first === undefined) return
  const [next, ...deeper] = rest
  if (next === undefined) {
    target[first] = joinValues(target[first], value)
    return
  }
  const inner = { ...(target[first] as Record<string, unknown> | undefined) }
  setAtPath(inner, [next, ...deeper], value)
  target[first] = inner
}

/** Value of a flag, or its problem. The problem never quotes the text, which may be a secret. */
type ReadValue = { readonly value: unknown } | { readonly problem: string }

/**
 * Parses the text of a flag.
 *
 * Only the syntax is checked here: the engine checks the value, so a word in place of a number is passed on as it is.
 */
function readValue(text: string, valueType: ValueType): ReadValue {
  const has = (kind: ValueType['kinds'][number]): boolean => valueType.kinds.includes(kind)
  if (has('list')) return readItems(text, valueType.item ?? valueType)
  if (has('object') && text.startsWith('{')) return readJson(text)
  if (has('record')) return text.startsWith('{') ? readJson(text) : readPair(text)
  if (has('boolean') && (!has('string') || isSwitchText(text))) return readSwitch(text, has('object'))
  // Otherwise it would be the name of a folder.
  if (has('off') && isSwitchText(text))
    return text === 'false' ? { value: false } : { problem: 'takes a value, or false' }
  return { value: has('number') ? toNumber(text) : text }
}

/** Returns the number that a text is; another text as it is, so that the engine's message shows it. */
const toNumber = (text: string): number | string =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text

/** Combines several uses of one flag: lists and records are merged, otherwise the last use wins. */
function joinValues(before: unknown, value: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(value)) return [...(before as unknown[]), ...(value as unknown[])]
  return isRecord(before) && isRecord(value) ? { ...before, ...value } : value
}

function readItems(text: string, item: ValueType): ReadValue {
  // A pattern or a selector may contain commas, braces and brackets.
  const isNumber = item.kinds.includes('number')
  if (!isNumber && !item.kinds.includes('object')) return { value: [text] }
  if (text.startsWith('[')) return readJson(text)
  if (isNumber) return { value: text.split(',').map(toNumber) }
  if (!text.startsWith('{')) return { value: text.split(',').map((name) => name.trim()) }
  const read = readJson(text)
  return 'value' in read ? { value: [read.value] } : read
}

function readJson(text: string): ReadValue {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    // The parser's message quotes its input, which may be a password.
    const place = error instanceof Error ? / at position \d+/.exec(error.message)?.[0] : undefined
    return { problem: `is not valid JSON${place ?? ''}` }
  }
}

function readPair(text: string): ReadValue {
  const colon = text.indexOf(':')
  if (colon < 1) return { problem: "needs the form 'Name: value'" }
  return { value: { [text.slice(0, colon).trim()]: text.slice(colon + 1).trim() } }
}

function readSwitch(text: string, orObject: boolean): ReadValue {
  if (isSwitchText(text)) return { value: text === 'true' }
  return { problem: orObject ? 'takes =true, =false or =JSON' : 'takes no value, or =true or =false' }
}

const isSwitchText = (text: string): boolean => text === 'true' || text === 'false'

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
