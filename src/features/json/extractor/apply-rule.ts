import { collapse, type Element, isElement, type ParentNode, textOf } from '../../../content/html/tree.js'
import { resolveUrl } from '../../../base/url.js'
import { type DataRule, type ListRule, type ObjectRule, readRule, type ValueRule } from './data-rule.js'
import { findElements, WorkBudget, WorkLimitError } from './find-elements.js'
import { ownValue } from '../../../base/collections/own-value.js'
import { cutText } from '../../../base/text/cut-text.js'

/** Texts found by a rule, in the shape of the rule. Missing values are absent. */
export type RawData = string | boolean | readonly RawData[] | { readonly [name: string]: RawData }

/** Result of a rule on a page. */
export interface RuleResult {
  readonly data?: RawData
  /** Reason why there is no data: the rule exceeds its work budget on this page. */
  readonly fault?: string
}

/** Maximum nodes to visit. */
const MAX_NODES = 2_000_000
/** Maximum items of all lists together. */
const MAX_ITEMS = 5000
const MAX_VALUE_CHARACTERS = 20_000
/** Maximum characters of all values together. */
const MAX_CHARACTERS = 2_000_000

/**
 * Extracts data from a page by a rule. The same page always gives the same data.
 *
 * @param rule as written, see {@link readRule} @internal
 */
export function applyRule(root: ParentNode, baseUrl: string, rule: unknown): RuleResult {
  const context: ExtractionContext = {
    budget: new WorkBudget(MAX_NODES),
    baseUrl,
    items: MAX_ITEMS,
    characters: MAX_CHARACTERS,
  }
  try {
    const data = read(root, readRule(rule), context)
    return data === undefined ? {} : { data }
  } catch (error) {
    if (error instanceof WorkLimitError) return { fault: error.message }
    throw error
  }
}

/** Limits left for one extraction. */
interface ExtractionContext {
  readonly budget: WorkBudget
  readonly baseUrl: string
  items: number
  characters: number
}

function read(at: ParentNode, rule: DataRule, context: ExtractionContext): RawData | undefined {
  if (rule.kind === 'object') return readObject(at, rule, context)
  return rule.kind === 'list' ? readList(at, rule, context) : readValue(at, rule, context)
}

function readObject(at: ParentNode, { select, fields }: ObjectRule, context: ExtractionContext): RawData | undefined {
  const place = select ? findElements(at, select, context.budget)[0] : at
  if (!place) return undefined
  const found = fields.flatMap(([name, rule]) => {
    const value = read(place, rule, context)
    return value === undefined ? [] : [[name, value] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** Reads a list. An empty one is kept, because the page may say that there are none. */
function readList(at: ParentNode, { each, item }: ListRule, context: ExtractionContext): RawData[] {
  const found = findElements(at, each, context.budget).slice(0, Math.max(0, context.items))
  context.items -= found.length
  return found.flatMap((element) => {
    const value = read(element, item, context)
    return value === undefined ? [] : [value]
  })
}

function readValue(at: ParentNode, rule: ValueRule, context: ExtractionContext): RawData | undefined {
  const { select, containing, step, as } = rule
  for (const place of select ? findElements(at, select, context.budget) : [at]) {
    if (containing !== undefined && !textIn(place, context).toLowerCase().includes(containing)) continue
    for (const end of step ? findElements(place, step, context.budget).slice(0, 1) : [place]) {
      const value = valueOf(end, rule, context)
      if (value !== undefined) return as === 'boolean' ? true : value
    }
  }
  return as === 'boolean' ? false : undefined
}

function valueOf(at: ParentNode, { attribute, match, as }: ValueRule, context: ExtractionContext): string | undefined {
  const given = attribute === undefined ? textIn(at, context) : isElement(at) ? attributeOf(at, attribute, context) : ''
  const value = match ? match.find(given)?.trim() : given
  // For a boolean the presence of the element is enough.
  if (value === '' && as === 'boolean' && attribute === undefined && !match) return value
  if (value === undefined || value === '') return undefined
  context.characters -= value.length
  if (context.characters < 0)
    throw new WorkLimitError('the extractor finds more text on this page than the limit allows')
  return value
}

function textIn(at: ParentNode, { budget }: ExtractionContext): string {
  const text = textOf(at)
  budget.spend(Math.ceil(text.length / 10))
  return cutText(collapse(text), MAX_VALUE_CHARACTERS)
}

/** Reads an attribute; URLs are made absolute, as in all fields of a document. */
function attributeOf({ attribs }: Element, name: string, { baseUrl }: ExtractionContext): string {
  const value = cutText((ownValue(attribs, name) ?? '').trim(), MAX_VALUE_CHARACTERS)
  if (value === '' || !/^(?:href|src|poster|cite|action)$/.test(name)) return value
  return resolveUrl(value, baseUrl)?.href ?? value
}
