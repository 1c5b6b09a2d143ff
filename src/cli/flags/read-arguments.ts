import { parseArgs } from 'node:util'
import { findNearMiss } from '../../options/issues/near-miss.js'
import { isSwitch, type Flag, type FlagTarget } from './flag.js'
import { joinValues, readValue } from './read-value.js'

/** What was typed after a command's name. */
export interface Arguments {
  /** What is no flag, in order. */
  readonly positionals: readonly string[]
  /** The values of the flags, where each belongs. */
  readonly values: Readonly<Record<FlagTarget, Record<string, unknown>>>
  /** What is wrong, all of it; nothing when all is well. */
  readonly problems: readonly string[]
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number]
type OptionToken = Extract<Token, { kind: 'option' }>

/**
 * Reads what was typed with the flags that a command has.
 *
 * @param foreign for a flag that this command does not have: the names of the commands that do
 */
export function readArguments(
  typed: readonly string[],
  flags: readonly Flag[],
  foreign: (name: string) => readonly string[] = () => [],
): Arguments {
  const byName = new Map(flags.flatMap((flag) => namesOf(flag).map((name) => [name, flag] as const)))
  const options = Object.fromEntries([...byName].map(([name, flag]) => [name, toParserOption(name, flag)]))
  // Not strict: it would stop at the first problem and speak of none of the others.
  const { tokens } = parseArgs({ args: [...typed], options, strict: false, tokens: true })
  const values: Arguments['values'] = { request: {}, engine: {}, command: {} }
  const problems: string[] = []
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const flag = byName.get(token.name)
    const read = flag ? readToken(token, flag, byName) : { problem: describeUnknown(token, byName, foreign) }
    if ('problem' in read) problems.push(`${token.rawName} ${read.problem}`)
    else if (flag) put(values[flag.target], flag.path, read.value)
  }
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  return { positionals, values, problems }
}

const namesOf = (flag: Flag): string[] => (isSwitch(flag) ? [flag.name, `no-${flag.name}`] : [flag.name])

const toParserOption = (name: string, flag: Flag) => ({
  type: isSwitch(flag) ? ('boolean' as const) : ('string' as const),
  ...(flag.short !== undefined && name === flag.name ? { short: flag.short } : {}),
})

function readToken(token: OptionToken, flag: Flag, byName: ReadonlyMap<string, Flag>) {
  const { value, inlineValue, name } = token
  if (isSwitch(flag)) {
    if (name !== flag.name) return value === undefined ? { value: false } : { problem: 'takes no value' }
    return value === undefined ? { value: true } : readValue(value, flag.shape)
  }
  const isForgotten = value === undefined || (!inlineValue && looksLikeFlag(value, byName))
  return isForgotten ? { problem: `needs a value: --${flag.name}=…` } : readValue(value, flag.shape)
}

const looksLikeFlag = (value: string, byName: ReadonlyMap<string, Flag>): boolean =>
  value.startsWith('--') && byName.has(value.slice(2).split('=', 1)[0] ?? '')

function describeUnknown(
  { name }: OptionToken,
  byName: ReadonlyMap<string, Flag>,
  foreign: (name: string) => readonly string[],
): string {
  const owners = foreign(name)
  if (owners.length > 0) return `is a flag of \`trawl ${owners.join('` and `trawl ')}\`, not of this command`
  const meant = findNearMiss(name, [...byName.keys()])
  return `is no flag${meant === undefined ? '' : `: did you mean --${meant}?`}`
}

/** Sets the value at the path, beside what stands there already. */
function put(target: Record<string, unknown>, [first, ...rest]: readonly string[], value: unknown): void {
  if (first === undefined) return
  const [next, ...deeper] = rest
  if (next === undefined) {
    target[first] = joinValues(target[first], value)
    return
  }
  const inner = { ...(target[first] as Record<string, unknown> | undefined) }
  put(inner, [next, ...deeper], value)
  target[first] = inner
}
