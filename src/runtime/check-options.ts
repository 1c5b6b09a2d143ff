import { printSeen } from '../errors.js'

/** What an argument or an option may be. */
export interface Rule {
  /** Says what is allowed, as in `… is not …`. */
  readonly allowed: string
  takes(value: unknown): boolean
}

/** Allows a text with something in it. @param what says which, e.g. `the path of a folder` */
export const aText = (what: string): Rule => ({
  allowed: what,
  takes: (value) => typeof value === 'string' && value !== '',
})

/** Allows a text, an empty one too. */
export const anyText: Rule = { allowed: 'a string', takes: (value) => typeof value === 'string' }

/** Allows a number. @param unit what is counted @param most Infinity is allowed where it is that */
export const aNumber = (unit: string, least: number, most = Infinity): Rule => ({
  allowed: `a number of ${unit} from ${least}${most === Infinity ? '' : ` to ${most}`}`,
  takes: (value) => typeof value === 'number' && value >= least && value <= most,
})

/** Allows as many milliseconds as a timer takes. */
export const aTime: Rule = aNumber('milliseconds', 1, 2 ** 31 - 1)

/** Allows one of these texts. */
export const oneOf = (...names: readonly string[]): Rule => ({
  allowed: `one of ${names.join(', ')}`,
  takes: (value) => names.some((name) => name === value),
})

export const aFunction: Rule = { allowed: 'a function', takes: (value) => typeof value === 'function' }

/** Allows an object that has these methods. @param what says which */
export const anObjectWith = (what: string, ...methods: readonly string[]): Rule => ({
  allowed: `${what}: it needs ${methods.map((name) => `\`${name}\``).join(', ')}`,
  takes: (value) =>
    typeof value === 'object' &&
    value !== null &&
    methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function'),
})

/**
 * Checks an argument of a function that makes a part of an engine.
 *
 * @param of the call, as it is written: `sqlite(file)`
 * @throws TypeError with what was seen and what is allowed
 */
export function checkArgument(of: string, value: unknown, { takes, allowed }: Rule): void {
  if (!takes(value)) throw new TypeError(`\`${of}\`: ${printSeen(value)} is not ${allowed}`)
}

/**
 * Checks the options of a function that makes a part of an engine.
 *
 * @param of its name
 * @param required the names of options that must be there
 * @throws TypeError naming the option, what was seen and what is allowed
 */
export function checkOptions(
  of: string,
  options: unknown,
  rules: Readonly<Record<string, Rule>>,
  required: readonly string[] = [],
): void {
  const names = Object.keys(rules)
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`\`${of}\`: ${printSeen(options)} is not an object of the options ${names.join(', ')}`)
  for (const name of Object.keys(options)) {
    if (!names.includes(name))
      throw new TypeError(`\`${of}\`: unknown option ${printSeen(name)}: allowed are ${names.join(', ')}`)
  }
  const given = new Map<string, unknown>(Object.entries(options))
  for (const [name, rule] of Object.entries(rules)) {
    const value = given.get(name)
    if (value === undefined && !required.includes(name)) continue
    checkArgument(`${of}({ ${name} })`, value, rule)
  }
}
