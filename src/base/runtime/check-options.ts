import { printSeen } from '../errors.js'
import { parseUrl } from '../url.js'

/** Rule for the value of an argument or an option. */
export interface Rule {
  /** Describes the allowed values. Follows `… is not` in a message. */
  readonly allowed: string
  accepts(value: unknown): boolean
}

/** Allows a non-empty string. @param what describes it, e.g. `the path of a folder` */
export const nonEmptyString = (what: string): Rule => ({
  allowed: what,
  accepts: (value) => typeof value === 'string' && value !== '',
})

/** Refuses SQLite's name for a database in memory, for which a file of that name would be made. @param what keeps the same in memory */
export const notInMemory = (what: string): Rule => ({
  allowed: `the path of a file: ${what}`,
  accepts: (value) => value !== ':memory:',
})

/** Allows a string. */
export const anyString: Rule = { allowed: 'a string', accepts: (value) => typeof value === 'string' }

/** Allows a number in a range, both ends included. @param most `Infinity` allows that value too */
export const numberInRange = (unit: string, least: number, most = Infinity): Rule => ({
  allowed: `a number of ${unit} from ${least}${most === Infinity ? '' : ` to ${most}`}`,
  accepts: (value) => typeof value === 'number' && value >= least && value <= most,
})

/** Allows a number of milliseconds that `setTimeout` accepts. */
export const timerMs: Rule = numberInRange('milliseconds', 1, 2 ** 31 - 1)

/** Allows one of these strings. */
export const oneOf = (...names: readonly string[]): Rule => ({
  allowed: `one of ${names.join(', ')}`,
  accepts: (value) => names.some((name) => name === value),
})

/** Allows a URL of the Web, without a user name or a password. */
export const webUrl: Rule = {
  allowed: "a URL such as 'https://files.example.com/'",
  accepts: (value) => {
    if (typeof value !== 'string' && !(value instanceof URL)) return false
    const text = String(value)
    const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined
    return url?.username === '' && url.password === ''
  },
}

export const anyBoolean: Rule = { allowed: 'true or false', accepts: (value) => typeof value === 'boolean' }

export const anyFunction: Rule = { allowed: 'a function', accepts: (value) => typeof value === 'function' }

/** Allows an object with these methods. @param what describes it */
export const objectWithMethods = (what: string, ...methods: readonly string[]): Rule => ({
  allowed: `${what}: it needs ${methods.map((name) => `\`${name}\``).join(', ')}`,
  accepts: (value) =>
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function'),
})

/**
 * Checks an argument of a public function.
 *
 * @param of the call as written, e.g. `sqlite(file)`
 * @throws TypeError that names the value and the allowed values
 */
export function checkArgument(of: string, value: unknown, { accepts, allowed }: Rule): void {
  if (!accepts(value)) throw new TypeError(`\`${of}\`: ${printSeen(value)} is not ${allowed}`)
}

/**
 * Checks the options of a public function.
 *
 * @param of name of the function
 * @param required names of required options
 * @throws TypeError that names the option, its value and the allowed values
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
  for (const [name, rule] of Object.entries(rules)) {
    // Settings may be an instance of a class, with getters.
    const value: unknown = Reflect.get(options, name)
    if (value === undefined && !required.includes(name)) continue
    checkArgument(`${of}({ ${name} })`, value, rule)
  }
}
