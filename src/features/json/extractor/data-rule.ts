import { isObject } from '../../../base/collections/is-object.js'
import { messageOf } from '../../../base/errors.js'
import { compileLinear, countStates, type LinearPattern } from '../../../base/text/linear-pattern.js'
import { readSelector, type Selector } from './selector.js'

/** A rule for one value. A rule contains no text of its own: all values come from the page. */
export interface ValueRule {
  readonly kind: 'value'
  /** Selects an element below the context element; absent for the context element itself. */
  readonly select?: Selector
  /** Requires these words in the text of the element, in any case. */
  readonly containing?: string
  /**
   * Relative selector from the selected element to the one with the value, for example `+ dd` for the value after a
   * label.
   */
  readonly step?: Selector
  /** Attribute that holds the value. @default the text */
  readonly attribute?: string
  /** Extracts the value from that text. @default all of it */
  readonly match?: LinearPattern
  readonly as: 'text' | 'number' | 'boolean'
}

/** A rule for a list: one item for each element found. */
export interface ListRule {
  readonly kind: 'list'
  readonly each: Selector
  readonly item: DataRule
}

/** A rule for an object, by property names. */
export interface ObjectRule {
  readonly kind: 'object'
  /** Element that contains all properties. @default the context element */
  readonly select?: Selector
  readonly fields: readonly (readonly [name: string, rule: DataRule])[]
}

/** A rule for extracting data from a page. */
export type DataRule = ValueRule | ListRule | ObjectRule

/** Limits of a rule. */
const MAX_DEPTH = 8
const MAX_RULES = 300
const MAX_PATTERN_CHARACTERS = 300
const MAX_STATES = 2000
const MAX_WORDS = 100

/**
 * Validates a rule written by somebody else, such as a language model. A rule is data: nothing in it is executed, and
 * unknown members are errors.
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
      if (!each) throw new Error(`${path}: \`each\` is not a selector`)
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
    containing: words?.slice(0, MAX_WORDS).toLowerCase(),
    attribute: name?.toLowerCase(),
    match: pattern === undefined ? undefined : compile(pattern, path),
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
