import { type Element, isElement, type ParentNode } from '../../../content/html/tree.js'
import type { AttributeTest, Compound, Selector, Step } from './selector.js'
import { ownValue } from '../../../base/collections/own-value.js'

/** Work budget of a rule on one page. It stops rules that would take too long on a hostile page. */
export class WorkBudget {
  #left: number

  constructor(nodes: number) {
    this.#left = nodes
  }

  /** @throws WorkLimitError when the budget is used up */
  spend(nodes = 1): void {
    this.#left -= nodes
    if (this.#left < 0) throw new WorkLimitError('the extractor takes too much work on this page')
  }
}

/** Thrown when an extractor exceeds its work budget. */
export class WorkLimitError extends Error {}

/**
 * Finds the elements that match a selector below `root`, without duplicates, in document order within each alternative.
 */
export function findElements(root: ParentNode, selector: Selector, budget: WorkBudget): Element[] {
  const found = new Set<Element>()
  for (const steps of selector) for (const element of follow(root, steps, budget)) found.add(element)
  return [...found]
}

function follow(root: ParentNode, steps: readonly Step[], budget: WorkBudget): readonly Element[] {
  let at: readonly ParentNode[] = [root]
  for (const { combinator, compound } of steps) {
    const next = new Set<Element>()
    const take = (element: Element): void => {
      budget.spend(1 + compound.attributes.length)
      if (passes(element, compound, budget)) next.add(element)
    }
    if (combinator === ' ') takeBelow(at, take, budget)
    else
      for (const node of at) for (const element of combinator === '>' ? childrenOf(node) : nextOf(node)) take(element)
    at = [...next]
  }
  return at.filter(isElement)
}

/** Visits each element below these nodes once: nodes within another one are skipped. */
function takeBelow(nodes: readonly ParentNode[], take: (element: Element) => void, budget: WorkBudget): void {
  const inside = new Set<ParentNode>(nodes)
  for (const node of nodes) {
    if (hasAbove(node, inside, budget)) continue
    const stack = childrenOf(node).toReversed()
    for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
      take(element)
      // Spreading a hundred thousand children overflows the call stack.
      for (const child of childrenOf(element).toReversed()) stack.push(child)
    }
  }
}

function hasAbove(node: ParentNode, nodes: ReadonlySet<ParentNode>, budget: WorkBudget): boolean {
  for (let above = node.parent; above !== null; above = above.parent) {
    budget.spend()
    if (nodes.has(above)) return true
  }
  return false
}

const childrenOf = (node: ParentNode): Element[] => node.children.filter(isElement)

function nextOf(node: ParentNode): Element[] {
  for (let next = node.next; next !== null; next = next.next) if (isElement(next)) return [next]
  return []
}

function passes(element: Element, { name, attributes, places }: Compound, budget: WorkBudget): boolean {
  if (name !== undefined && element.name !== name) return false
  if (!attributes.every((test) => hasAttribute(element, test, budget))) return false
  return places.every((place) => isAtPlace(element, place, budget))
}

/** Counts siblings up to the place only: with all of them, a list would take the square of its length. */
function isAtPlace(element: Element, { at, ofType }: Compound['places'][number], budget: WorkBudget): boolean {
  if (element.parent === null) return false
  let place = 1
  let sibling = at > 0 ? element.prev : element.next
  for (; sibling !== null && place <= Math.abs(at); sibling = at > 0 ? sibling.prev : sibling.next) {
    budget.spend()
    if (isElement(sibling) && (!ofType || sibling.name === element.name)) place += 1
  }
  return place === Math.abs(at)
}

/** Characters of an attribute that cost as much as a node: an attribute may have megabytes. */
const CHARACTERS_OF_NODE = 20

function hasAttribute({ attribs }: Element, { name, sign, value }: AttributeTest, budget: WorkBudget): boolean {
  const given = ownValue(attribs, name)
  if (given === undefined || sign === undefined) return given !== undefined
  budget.spend(Math.ceil(given.length / CHARACTERS_OF_NODE))
  if (sign === '=') return given === value
  if (value === '') return false
  if (sign === '~=') return given.split(/\s+/).includes(value)
  if (sign === '^=') return given.startsWith(value)
  return sign === '$=' ? given.endsWith(value) : given.includes(value)
}
