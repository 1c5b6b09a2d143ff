import { type Element, isElement, isText, parentElement, walk } from '../../html/tree.js'
import type { AttributeCondition, ElementTest, NthTest, PlaceTest, StyleSelector } from './selector.js'

/** The steps that tests of a page may take. Those after it fail, so that a hostile page takes no longer. */
export class StepBudget {
  left: number

  constructor(steps: number) {
    this.left = steps
  }
}

const hasEnded = ({ left }: StepBudget): boolean => left < 0

/** Facts of a page for the tests of its selectors. */
export interface MatchContext {
  /** Returns the classes of an element. */
  readonly classesOf: ClassReader
  readonly budget: StepBudget
  /** Set for a page on which classes and ids have no case. */
  readonly isQuirky: boolean
  /** Numbers of elements among their siblings: from the first one, the last one, and those of the same name. */
  readonly numbers: readonly Map<Element, number>[]
  /** The element that the first part of a selector must be. @default any */
  readonly scope?: Element | undefined
}

/** True for an element that a selector selects. */
export const matches = (element: Element, { steps }: StyleSelector, context: MatchContext): boolean =>
  matchesFrom(element, steps, 0, context.scope === undefined ? context : { ...context, scope: undefined })

function matchesFrom(at: Element, steps: StyleSelector['steps'], step: number, context: MatchContext): boolean {
  const { budget } = context
  const current = steps[step]
  budget.left -= 1
  if (budget.left < 0 || current === undefined || !matchesCompound(at, current.compound, context)) return false
  // A `:not()`, or a place, whose test has run out of steps holds for nothing.
  if (hasEnded(budget)) return false
  const next = step + 1
  if (next === steps.length) return context.scope === undefined || at === context.scope
  if (current.combinator === '>') {
    const parent = parentElement(at)
    return parent !== undefined && matchesFrom(parent, steps, next, context)
  }
  if (current.combinator === '+' || current.combinator === '~') {
    for (let before = previousElement(at, budget); before !== undefined; before = previousElement(before, budget)) {
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

function matchesCompound(element: Element, test: ElementTest, context: MatchContext): boolean {
  const { name, id, classes } = test
  const { attribs } = element
  if (name !== undefined && name !== element.name) return false
  if (id !== undefined && id !== (context.isQuirky ? attribs['id']?.toLowerCase() : attribs['id'])) return false
  if (classes.length > 0) {
    if (attribs['class'] === undefined) return false
    const own = context.classesOf(element)
    for (const one of classes) if (!own.includes(one)) return false
  }
  return test.attributes.length + test.places.length + test.others.length === 0 || matchesRest(element, test, context)
}

/** Tests what few selectors ask for. Without closures, which V8 would allocate for each element. */
function matchesRest(element: Element, { attributes, places, others }: ElementTest, context: MatchContext): boolean {
  const { attribs } = element
  for (const test of attributes) if (!matchesAttribute(attribs[test.name], test, context.budget)) return false
  for (const place of places) if (!matchesPlace(element, place, context)) return false
  for (const { kind, selectors, limits } of others) {
    let isMatched = kind === 'within' && isWithin(element, selectors, limits ?? NONE, context)
    if (kind !== 'within')
      for (const selector of selectors)
        isMatched ||= kind === 'has' ? hasOther(element, selector, context) : matches(element, selector, context)
    if (isMatched === (kind === 'not')) return false
  }
  return true
}

const NONE: readonly StyleSelector[] = []

/** True for an element of a scope: within one of its roots, and in none of the elements that end it. */
function isWithin(
  element: Element,
  roots: readonly StyleSelector[],
  limits: readonly StyleSelector[],
  context: MatchContext,
): boolean {
  const isOneOf = (at: Element, selectors: readonly StyleSelector[]): boolean =>
    selectors.some((one) => !one.isState && matches(at, one, context))
  for (let at: Element | undefined = element; at !== undefined && context.budget.left > 0; at = parentElement(at)) {
    if (isOneOf(at, roots)) return true
    if (isOneOf(at, limits)) return false
  }
  return false
}

/** Tests whether a selector that begins at an element selects something inside of it, or behind it. */
function hasOther(element: Element, { steps }: StyleSelector, context: MatchContext): boolean {
  const { combinator = '' } = steps[steps.length - 2] ?? {}
  // The last step stands for the element itself.
  const test = (found: Element): boolean => matchesUpTo(found, element, steps, context)
  if (combinator === '+' || combinator === '~') {
    for (
      let at = nextElement(element, context.budget);
      at !== undefined && context.budget.left > 0;
      at = nextElement(at, context.budget)
    )
      if (test(at) || isAround(at, test)) return true
    return false
  }
  return isAround(element, test)
}

function isAround(element: Element, test: (found: Element) => boolean): boolean {
  let isFound = false
  walk(element, (node) => {
    isFound ||= isElement(node) && test(node)
    return isFound ? 'stop' : undefined
  })
  return isFound
}

/** As {@link matches}, for a selector whose first part is one element. */
const matchesUpTo = (at: Element, scope: Element, steps: StyleSelector['steps'], context: MatchContext): boolean =>
  matchesFrom(at, steps, 0, { ...context, scope })

/** Characters of an attribute that are read in the time of a step. */
const STEP_CHARACTERS = 32

function matchesAttribute(given: string | undefined, test: AttributeCondition, budget: StepBudget): boolean {
  if (given === undefined) return false
  budget.left -= Math.floor(given.length / STEP_CHARACTERS)
  const { operator, ignoresCase } = test
  const own = ignoresCase ? given.toLowerCase() : given
  const value = ignoresCase ? test.value.toLowerCase() : test.value
  switch (operator) {
    case '':
      return true
    case '=':
      return own === value
    case '~=':
      return own.includes(value) && own.split(/\s+/).includes(value)
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

function matchesPlace(element: Element, place: PlaceTest, context: MatchContext): boolean {
  switch (place.kind) {
    case 'empty':
      return element.children.every((child) => !isElement(child) && !(isText(child) && child.data !== ''))
    case 'link':
      return (element.name === 'a' || element.name === 'area') && element.attribs['href'] !== undefined
    case 'lang': {
      const own = inheritedAttribute(element, 'lang', context.budget)?.toLowerCase() ?? ''
      return place.values.some((one) => own === one || own.startsWith(`${one}-`))
    }
    case 'dir':
      return place.value === (inheritedAttribute(element, 'dir', context.budget)?.toLowerCase() ?? 'ltr')
    default:
      return matchesNth(element, place, context)
  }
}

function inheritedAttribute(element: Element, name: string, budget: StepBudget): string | undefined {
  for (let at: Element | undefined = element; at !== undefined; at = parentElement(at)) {
    budget.left -= 1
    if (at.attribs[name] !== undefined) return at.attribs[name]
  }
  return undefined
}

/** Tests whether the number of an element among its siblings is one of the series `an+b`. */
function matchesNth(element: Element, test: NthTest, context: MatchContext): boolean {
  const { a, b } = test
  // The first and the last of all are asked for most.
  if (a === 0 && b === 1 && !test.isOfType && test.of === undefined)
    return (test.isLast ? nextElement : previousElement)(element, context.budget) === undefined
  const number =
    test.of === undefined ? numberOfSibling(element, test, context) : numberAmong(element, test.of, test, context)
  if (number === undefined) return false
  const distance = number - b
  return a === 0 ? distance === 0 : distance % a === 0 && distance / a >= 0
}

/** Returns the number of an element among the siblings that some selectors select; undefined for one that they do not select. */
function numberAmong(
  element: Element,
  selectors: readonly StyleSelector[],
  { isLast }: NthTest,
  context: MatchContext,
): number | undefined {
  const counts = (one: Element): boolean => selectors.some((other) => matches(one, other, context))
  if (!counts(element)) return undefined
  let number = 1
  const next = isLast ? nextElement : previousElement
  for (
    let at = next(element, context.budget);
    at !== undefined && context.budget.left > 0;
    at = next(at, context.budget)
  )
    if (counts(at)) number += 1
  return number
}

/** Returns the number of an element among its siblings. Those before it are remembered, since a rule asks for all of them. */
function numberOfSibling(element: Element, { isLast, isOfType }: NthTest, { numbers, budget }: MatchContext): number {
  const known = numbers[(isLast ? 1 : 0) + (isOfType ? 2 : 0)] ?? new Map<Element, number>()
  const next = isLast ? nextElement : previousElement
  const passed: Element[] = []
  let number = 0
  for (let at: Element | undefined = element; at !== undefined; at = next(at, budget)) {
    budget.left -= 1
    if (isOfType && at.name !== element.name) continue
    const found = known.get(at)
    if (found !== undefined || budget.left < 0) {
      number = found ?? 0
      break
    }
    passed.push(at)
  }
  for (let at = passed.length - 1; at >= 0; at -= 1) {
    number += 1
    const one = passed[at]
    if (one !== undefined) known.set(one, number)
  }
  return number
}

function previousElement(element: Element, budget: StepBudget): Element | undefined {
  let at = element.prev
  for (; at !== null && !isElement(at); at = at.prev) budget.left -= 1
  return at ?? undefined
}

function nextElement(element: Element, budget: StepBudget): Element | undefined {
  let at = element.next
  for (; at !== null && !isElement(at); at = at.next) budget.left -= 1
  return at ?? undefined
}
