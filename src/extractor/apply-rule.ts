import { collapse, type Element, isElement, type ParentNode, textOf } from '../html/tree.js'
import { resolveUrl } from '../url.js'
import { type DataRule, type ListRule, type ObjectRule, readRule, type ValueRule } from './data-rule.js'
import { findElements, Fuel, OutOfFuel } from './find-elements.js'
import { ownValue } from '../collections/own-value.js'

/** What a rule found: texts, in the shape of the rule. What is not there is absent. */
export type RawData = string | boolean | readonly RawData[] | { readonly [name: string]: RawData }

/** What came of a rule on a page. */
export interface Applied {
  readonly data?: RawData
  /** Why there is nothing: the rule takes too much work on this page. */
  readonly fault?: string
}

/** Nodes that are looked at, items of all lists together, characters of a value and of all. */
const MAX_NODES = 2_000_000
const MAX_ITEMS = 5000
const MAX_VALUE_CHARACTERS = 20_000
const MAX_CHARACTERS = 2_000_000

/** Reads data from a page by a rule: the same data each time. @param rule as it was written, see {@link readRule} @internal */
export function applyRule(root: ParentNode, baseUrl: string, rule: unknown): Applied {
  const reading: Reading = { fuel: new Fuel(MAX_NODES), baseUrl, items: MAX_ITEMS, characters: MAX_CHARACTERS }
  try {
    const data = read(root, readRule(rule), reading)
    return data === undefined ? {} : { data }
  } catch (error) {
    if (error instanceof OutOfFuel) return { fault: error.message }
    throw error
  }
}

interface Reading {
  readonly fuel: Fuel
  readonly baseUrl: string
  items: number
  characters: number
}

function read(at: ParentNode, rule: DataRule, reading: Reading): RawData | undefined {
  if (rule.kind === 'object') return readObject(at, rule, reading)
  return rule.kind === 'list' ? readList(at, rule, reading) : readValue(at, rule, reading)
}

function readObject(at: ParentNode, { select, fields }: ObjectRule, reading: Reading): RawData | undefined {
  const place = select ? findElements(at, select, reading.fuel)[0] : at
  if (!place) return undefined
  const found = fields.flatMap(([name, rule]) => {
    const value = read(place, rule, reading)
    return value === undefined ? [] : [[name, value] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** A list that is empty is one: that there is nothing may be what the page says. */
function readList(at: ParentNode, { each, item }: ListRule, reading: Reading): RawData[] {
  const found = findElements(at, each, reading.fuel).slice(0, Math.max(0, reading.items))
  reading.items -= found.length
  return found.flatMap((element) => {
    const value = read(element, item, reading)
    return value === undefined ? [] : [value]
  })
}

function readValue(at: ParentNode, rule: ValueRule, reading: Reading): RawData | undefined {
  const { select, containing, step, as } = rule
  for (const place of select ? findElements(at, select, reading.fuel) : [at]) {
    if (containing !== undefined && !textIn(place, reading).toLowerCase().includes(containing)) continue
    for (const end of step ? findElements(place, step, reading.fuel).slice(0, 1) : [place]) {
      const value = valueOf(end, rule, reading)
      if (value !== undefined) return as === 'boolean' ? true : value
    }
  }
  return as === 'boolean' ? false : undefined
}

function valueOf(at: ParentNode, { attribute, match, as }: ValueRule, reading: Reading): string | undefined {
  const given = attribute === undefined ? textIn(at, reading) : isElement(at) ? attributeOf(at, attribute, reading) : ''
  const value = match ? match.find(given)?.trim() : given
  // That an element is there may be all that is asked for.
  if (value === '' && as === 'boolean' && attribute === undefined && !match) return value
  if (value === undefined || value === '') return undefined
  reading.characters -= value.length
  if (reading.characters < 0) throw new OutOfFuel('the extractor finds too much on this page')
  return value
}

function textIn(at: ParentNode, { fuel }: Reading): string {
  const text = textOf(at)
  fuel.burn(Math.ceil(text.length / 10))
  return collapse(text).slice(0, MAX_VALUE_CHARACTERS)
}

/** Attributes that are an address are absolute, as everywhere in a document. */
function attributeOf({ attribs }: Element, name: string, { baseUrl }: Reading): string {
  const value = (ownValue(attribs, name) ?? '').trim().slice(0, MAX_VALUE_CHARACTERS)
  if (value === '' || !/^(?:href|src|poster|cite|action)$/.test(name)) return value
  return resolveUrl(value, baseUrl)?.href ?? value
}
