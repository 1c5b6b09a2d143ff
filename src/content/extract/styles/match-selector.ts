import { type Element, isElement, parentElement, walk } from '../../html/tree.js'
import type { AttributeCondition, ElementTest, StyleSelector } from './selector.js'

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
  const next = step + 1
  if (next === steps.length) return context.scope === undefined || at === context.scope
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

function matchesCompound(element: Element, test: ElementTest, context: MatchContext): boolean {
  const { name, id, classes } = test
  const { attribs } = element
  if (name !== undefined && name !== element.name) return false
  if (id !== undefined && id !== attribs['id']) return false
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
  for (const test of attributes) if (!matchesAttribute(attribs[test.name], test)) return false
  for (const place of places) if (!matchesPlace(element, place)) return false
  for (const { kind, selectors } of others) {
    let isMatched = false
    for (const selector of selectors)
      isMatched ||= kind === 'has' ? hasOther(element, selector, context) : matches(element, selector, context)
    if (isMatched === (kind === 'not')) return false
  }
  return true
}

/** Tests whether a selector that begins at an element selects something inside of it, or behind it. */
function hasOther(element: Element, { steps }: StyleSelector, context: MatchContext): boolean {
  const { combinator = '' } = steps[steps.length - 2] ?? {}
  // The last step stands for the element itself.
  const test = (found: Element): boolean => matchesUpTo(found, element, steps, context)
  if (combinator === '+' || combinator === '~') {
    for (let at = nextElement(element); at !== undefined && context.budget.left > 0; at = nextElement(at))
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

function matchesAttribute(given: string | undefined, test: AttributeCondition): boolean {
  if (given === undefined) return false
  const { operator, ignoresCase } = test
  const own = ignoresCase ? given.toLowerCase() : given
  const value = ignoresCase ? test.value.toLowerCase() : test.value
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

type Step = (element: Element) => Element | undefined

function matchesPlace(element: Element, place: string): boolean {
  const [, kind = '', formula = ''] = /^([\w-]+)(?:\((.*)\))?$/.exec(place) ?? []
  const isOfType = kind.endsWith('of-type')
  const next = (step: Step, from: Element): Element | undefined => {
    let at = step(from)
    if (isOfType) while (at !== undefined && at.name !== element.name) at = step(at)
    return at
  }
  if (kind.startsWith('first')) return next(previousElement, element) === undefined
  if (kind.startsWith('last')) return next(nextElement, element) === undefined
  if (kind.startsWith('only'))
    return next(previousElement, element) === undefined && next(nextElement, element) === undefined
  let position = 1
  const step = kind.startsWith('nth-last') ? nextElement : previousElement
  for (let at = next(step, element); at !== undefined && position < MAX_SIBLINGS; at = next(step, at)) position += 1
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
