import { type Element, isElement, parentElement } from '../../html/tree.js'
import { readEscapes } from './read-declarations.js'

/** Tests of one element: its name, id, classes, attributes and place. */
export interface ElementTest {
  readonly name?: string
  readonly id?: string
  readonly classes: readonly string[]
  readonly attributes: readonly AttributeTest[]
  /** Names of pseudo-classes for the place among siblings. */
  readonly places: readonly string[]
  /** Tests that must fail. */
  readonly not: readonly ElementTest[]
}

interface AttributeTest {
  readonly name: string
  readonly operator: string
  readonly value: string
}

/** A selector without commas. */
export interface StyleSelector {
  /** From the subject to the left: the combinator is that between the compound and the one before it in this list. */
  readonly steps: readonly { readonly compound: ElementTest; readonly combinator: string }[]
  readonly specificity: number
  /**
   * True for one that holds in some states of the page only, such as `:hover`, or that is not understood. It matches nothing
   * here, but says that what it selects may look different.
   */
  readonly isState: boolean
}

/** Maximum length of a selector, and number of selectors of a rule. Others are not read. */
const MAX_LENGTH = 300
const MAX_SELECTORS = 200

const NAME = '(?:[\\w-]|[^\\0-\\x7f]|\\\\(?:[\\da-fA-F]{1,6}\\s?|[^\\da-fA-F]))+'
const PART = new RegExp(
  `\\s*([>+~])\\s*|(\\s+)|\\*|(${NAME})|#(${NAME})|\\.(${NAME})|` +
    `\\[\\s*(${NAME})\\s*(?:([~|^$*]?=)\\s*(?:"([^"]*)"|'([^']*)'|([^\\]\\s]+))\\s*[is]?\\s*)?\\]|` +
    `(::?)([\\w-]+)(\\()?`,
  'y',
)

/** Pseudo-classes for the place among siblings, and those that hold for every link. */
const PLACES: ReadonlySet<string> = new Set(['first-child', 'last-child', 'only-child', 'nth-child', 'nth-last-child'])
const ALWAYS: ReadonlySet<string> = new Set(['root', 'link', 'any-link', 'scope'])

/** Reads the selectors of a rule. Those of pseudo-elements and of shadow trees are left out. */
export function readSelectors(text: string, isWanted: (selector: string) => boolean): StyleSelector[] {
  const found: StyleSelector[] = []
  for (const one of splitList(text).slice(0, MAX_SELECTORS)) {
    const selector = one.length > MAX_LENGTH || !isWanted(one) ? undefined : readSelector(one.trim())
    if (selector !== undefined) found.push(selector)
  }
  return found
}

/** Divides a list at its commas, but those in brackets. */
function splitList(text: string): string[] {
  if (!/[([]/.test(text)) return text.split(',')
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: sign, index } of text.matchAll(/[,()[\]]/g)) {
    if (sign === '(' || sign === '[') depth += 1
    else if (sign !== ',') depth -= 1
    else if (depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return [...parts, text.slice(start)]
}

interface MutableTest {
  name?: string
  id?: string
  classes: string[]
  attributes: AttributeTest[]
  places: string[]
  not: ElementTest[]
}

const emptyCompound = (): MutableTest => ({ classes: [], attributes: [], places: [], not: [] })

/** Reads one selector. @returns undefined for one that selects no element of the page itself */
export function readSelector(text: string): StyleSelector | undefined {
  const steps: { compound: MutableTest; combinator: string }[] = []
  let compound = emptyCompound()
  let combinator = ''
  let specificity = 0
  let isState = false
  const part = new RegExp(PART)
  for (let at = 0; at < text.length; at = part.lastIndex) {
    part.lastIndex = at
    const found = part.exec(text)
    if (found === null || text === '') return undefined
    const [, sign, space, name, id, className, attribute, operator, double, single, bare, colons, pseudo, bracket] =
      found
    if (sign !== undefined || space !== undefined) {
      steps.unshift({ compound, combinator })
      compound = emptyCompound()
      combinator = sign ?? ' '
    } else if (name !== undefined) {
      compound.name = readEscapes(name).toLowerCase()
      specificity += 1
    } else if (id !== undefined) {
      compound.id = readEscapes(id)
      specificity += 1_000_000
    } else if (className !== undefined) {
      compound.classes.push(readEscapes(className))
      specificity += 1000
    } else if (attribute !== undefined) {
      const value = readEscapes(double ?? single ?? bare ?? '')
      compound.attributes.push({ name: attribute.toLowerCase(), operator: operator ?? '', value })
      specificity += 1000
    } else if (pseudo !== undefined) {
      const kind = pseudo.toLowerCase()
      if (colons === '::' || PSEUDO_ELEMENTS.test(kind)) return undefined
      let inner = ''
      if (bracket !== undefined) {
        const end = closeOf(text, part.lastIndex)
        inner = text.slice(part.lastIndex, end).trim()
        part.lastIndex = end + 1
      }
      if (kind === 'not') {
        const others = splitList(inner).map((one) => readSelector(one.trim()))
        for (const other of others) {
          const only = other?.steps.length === 1 ? other.steps[0]?.compound : undefined
          if (only === undefined || other?.isState === true) isState = true
          else compound.not.push(only)
          specificity += other?.specificity ?? 0
        }
      } else if ((kind === 'is' || kind === 'where') && splitList(inner).length === 1) {
        const only = readSelector(inner)
        const alone = only?.steps.length === 1 ? only.steps[0]?.compound : undefined
        if (alone === undefined || only?.isState === true) isState = true
        else mergeInto(compound, alone)
        if (kind === 'is') specificity += only?.specificity ?? 0
      } else {
        if (PLACES.has(kind)) compound.places.push(inner === '' ? kind : `${kind}(${inner.toLowerCase()})`)
        else if (kind === 'root') compound.name = 'html'
        else if (!ALWAYS.has(kind)) isState = true
        specificity += 1000
      }
    }
  }
  steps.unshift({ compound, combinator })
  return { steps, specificity, isState }
}

const PSEUDO_ELEMENTS = /^(?:before|after|first-line|first-letter|host|slotted|part)$/

function mergeInto(compound: MutableTest, other: ElementTest): void {
  if (other.name !== undefined) compound.name = other.name
  if (other.id !== undefined) compound.id = other.id
  compound.classes.push(...other.classes)
  compound.attributes.push(...other.attributes)
  compound.places.push(...other.places)
  compound.not.push(...other.not)
}

/** Returns the index of the bracket that closes. */
function closeOf(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return text.length
}

/** The steps that tests of a page may take. Those after it fail, so that a hostile page takes no longer. */
export class StepBudget {
  left: number

  constructor(steps: number) {
    this.left = steps
  }
}

/** Facts of a page for the tests of its selectors. */
export interface MatchContext {
  /** Returns the classes of an element. */
  readonly classesOf: ClassReader
  readonly budget: StepBudget
}

/** True for an element that a selector selects. */
export const matches = (element: Element, { steps }: StyleSelector, context: MatchContext): boolean =>
  matchesFrom(element, steps, 0, context)

function matchesFrom(at: Element, steps: StyleSelector['steps'], step: number, context: MatchContext): boolean {
  const { budget } = context
  const current = steps[step]
  budget.left -= 1
  if (budget.left < 0 || current === undefined || !matchesCompound(at, current.compound, context.classesOf))
    return false
  const next = step + 1
  if (next === steps.length) return true
  if (current.combinator === '>') {
    const parent = parentElement(at)
    return parent !== undefined && matchesFrom(parent, steps, next, context)
  }
  if (current.combinator === '+' || current.combinator === '~') {
    for (let before = previousElement(at); before !== undefined; before = previousElement(before)) {
      if (matchesFrom(before, steps, next, context)) return true
      if (current.combinator === '+' || budget.left < 0) return false
    }
    return false
  }
  for (let up = parentElement(at); up !== undefined; up = parentElement(up)) {
    if (matchesFrom(up, steps, next, context)) return true
    if (budget.left < 0) return false
  }
  return false
}

/** Returns the classes of an element. */
export type ClassReader = (element: Element) => readonly string[]

function matchesCompound(
  element: Element,
  { name, id, classes, attributes, places, not }: ElementTest,
  classesOf: ClassReader,
): boolean {
  const { attribs } = element
  if (name !== undefined && name !== element.name) return false
  if (id !== undefined && id !== attribs['id']) return false
  if (classes.length > 0) {
    if (attribs['class'] === undefined) return false
    const own = classesOf(element)
    for (const one of classes) if (!own.includes(one)) return false
  }
  if (attributes.length + places.length + not.length === 0) return true
  return (
    attributes.every((test) => matchesAttribute(attribs[test.name], test)) &&
    places.every((place) => matchesPlace(element, place)) &&
    not.every((one) => !matchesCompound(element, one, classesOf))
  )
}

function matchesAttribute(own: string | undefined, { operator, value }: AttributeTest): boolean {
  if (own === undefined) return false
  switch (operator) {
    case '':
      return true
    case '=':
      return own === value
    case '~=':
      return own.split(/\s+/).includes(value)
    case '|=':
      return own === value || own.startsWith(`${value}-`)
    case '^=':
      return value !== '' && own.startsWith(value)
    case '$=':
      return value !== '' && own.endsWith(value)
    default:
      return value !== '' && own.includes(value)
  }
}

/** Maximum siblings before and after an element that are counted. */
const MAX_SIBLINGS = 500

function matchesPlace(element: Element, place: string): boolean {
  const [, kind = '', formula = ''] = /^([\w-]+)(?:\((.*)\))?$/.exec(place) ?? []
  if (kind === 'first-child') return previousElement(element) === undefined
  if (kind === 'last-child') return nextElement(element) === undefined
  if (kind === 'only-child') return previousElement(element) === undefined && nextElement(element) === undefined
  let position = 1
  const step = kind === 'nth-child' ? previousElement : nextElement
  for (let at = step(element); at !== undefined && position < MAX_SIBLINGS; at = step(at)) position += 1
  return isInSeries(position, formula.replaceAll(' ', ''))
}

/** True for a number of the series `an+b`. */
function isInSeries(position: number, formula: string): boolean {
  const known = formula === 'odd' ? '2n+1' : formula === 'even' ? '2n' : formula
  const [, , factor, rest] = /^(([+-]?\d*)n)?([+-]?\d+)?$/.exec(known) ?? []
  if (factor === undefined) return Number(rest) === position
  const a = factor === '' || factor === '+' ? 1 : factor === '-' ? -1 : Number(factor)
  const distance = position - Number(rest ?? 0)
  return a === 0 ? distance === 0 : distance % a === 0 && distance / a >= 0
}

function previousElement(element: Element): Element | undefined {
  let at = element.prev
  while (at !== null && !isElement(at)) at = at.prev
  return at ?? undefined
}

function nextElement(element: Element): Element | undefined {
  let at = element.next
  while (at !== null && !isElement(at)) at = at.next
  return at ?? undefined
}
