import { isObject } from '../collections/is-object.js'
import { messageOf } from '../errors.js'
import { compileLinear, countStates, type LinearPattern } from '../text/linear-pattern.js'
import { readSelector, type Selector } from './selector.js'

/** Where a value stands. All that it is made of is on the page: a rule has no words of its own. */
export interface ValueRule {
  readonly kind: 'value'
  /** Below the element that is looked at; that itself when absent. */
  readonly select?: Selector
  /** Only an element whose text has these words in it, in any case. */
  readonly containing?: string
  /** From the element found, where the value stands: `+ dd` beside a label. */
  readonly step?: Selector
  /** The attribute that has the value. @default the text */
  readonly attribute?: string
  /** What of that is the value. @default all of it */
  readonly match?: LinearPattern
  readonly as: 'text' | 'number' | 'boolean'
}

/** A list: one item for each element found. */
export interface ListRule {
  readonly kind: 'list'
  readonly each: Selector
  readonly item: DataRule
}

/** An object, by the names of its properties. */
export interface ObjectRule {
  readonly kind: 'object'
  /** The element in which all of it stands. @default the one that is looked at */
  readonly select?: Selector
  readonly fields: readonly (readonly [name: string, rule: DataRule])[]
}

/** How data is read from a page. */
export type DataRule = ValueRule | ListRule | ObjectRule

/** Bounds on a rule. */
const MAX_DEPTH = 8
const MAX_RULES = 300
const MAX_PATTERN_CHARACTERS = 300
const MAX_STATES = 2000
const MAX_WORDS = 100

/**
 * Reads a rule that somebody else has written, a language model for one. It is data: nothing in it is run, and nothing is
 * taken for what it is not.
 *
 * @throws Error that says what is wrong, and where
 */
export function readRule(given: unknown): DataRule {
  let left = MAX_RULES
  const read = (value: unknown, path: string): DataRule => {
    if (--left < 0) throw new Error(`more than ${MAX_RULES} rules`)
    if (path.split('.').length > MAX_DEPTH) throw new Error(`${path}: rules within more than ${MAX_DEPTH} others`)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${path}: no rule`)
    const rule = value as Readonly<Record<string, unknown>>
    const fields = rule['fields']
    if (isObject(fields)) {
      keepTo(rule, ['fields', 'select'], path)
      const list = Object.entries(fields).map(([name, own]) => [name, read(own, `${path}.${name}`)] as const)
      return { kind: 'object', fields: list, ...selectorOf(rule, 'select', path) }
    }
    if (rule['each'] !== undefined) {
      keepTo(rule, ['each', 'item'], path)
      const { each } = selectorOf(rule, 'each', path)
      if (!each) throw new Error(`${path}: \`each\` is no selector`)
      return { kind: 'list', each, item: read(rule['item'] ?? {}, `${path}.item`) }
    }
    return readValue(rule, path)
  }
  return read(given, 'rule')
}

function readValue(rule: Readonly<Record<string, unknown>>, path: string): ValueRule {
  keepTo(rule, ['select', 'containing', 'step', 'attribute', 'match', 'as'], path)
  const { containing, attribute, match, as = 'text' } = rule
  if (as !== 'text' && as !== 'number' && as !== 'boolean')
    throw new Error(`${path}: \`as\` is text, number or boolean`)
  const words = textOf(containing, 'containing', path)
  const name = textOf(attribute, 'attribute', path)
  const pattern = textOf(match, 'match', path)
  return {
    kind: 'value',
    as,
    ...selectorOf(rule, 'select', path),
    ...selectorOf(rule, 'step', path),
    ...(words !== undefined && { containing: words.slice(0, MAX_WORDS).toLowerCase() }),
    ...(name !== undefined && { attribute: name.toLowerCase() }),
    ...(pattern !== undefined && { match: compile(pattern, path) }),
  }
}

function compile(pattern: string, path: string): LinearPattern {
  if (pattern.length > MAX_PATTERN_CHARACTERS || countStates(pattern) > MAX_STATES) {
    throw new Error(`${path}: \`match\` is too long`)
  }
  try {
    return compileLinear(pattern)
  } catch (error) {
    throw new Error(`${path}: \`match\`: ${messageOf(error)}`, { cause: error })
  }
}

function selectorOf<Name extends string>(
  rule: Readonly<Record<string, unknown>>,
  name: Name,
  path: string,
): { readonly [_ in Name]?: Selector } {
  const text = textOf(rule[name], name, path)
  if (text === undefined || text.trim() === '') return {}
  try {
    return { [name]: readSelector(text) } as { readonly [_ in Name]: Selector }
  } catch (error) {
    throw new Error(`${path}: \`${name}\`: ${messageOf(error)}`, { cause: error })
  }
}

function textOf(value: unknown, name: string, path: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw new Error(`${path}: \`${name}\` is no text`)
}

function keepTo(rule: object, names: readonly string[], path: string): void {
  const unknown = Object.keys(rule).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`${path}: \`${unknown.slice(0, 60)}\` is not known here`)
}
