import { type Element, isElement, type ParentNode } from '../html/tree.js'
import type { AttributeTest, Compound, Selector, Step } from './selector.js'
import { ownValue } from '../collections/own-value.js'

/** What may still be done on a page: a hostile one, or a bad extractor, is given up rather than waited for. */
export class Fuel {
  #left: number

  constructor(nodes: number) {
    this.#left = nodes
  }

  /** @throws Error when there is none left */
  burn(nodes = 1): void {
    this.#left -= nodes
    if (this.#left < 0) throw new OutOfFuel('the extractor takes too much work on this page')
  }
}

/** A page on which an extractor takes more work than it may. */
export class OutOfFuel extends Error {}

/** The elements that a selector finds below `root`, in document order within each of its alternatives, each once. */
export function findElements(root: ParentNode, selector: Selector, fuel: Fuel): Element[] {
  const found = new Set<Element>()
  for (const steps of selector) for (const element of follow(root, steps, fuel)) found.add(element)
  return [...found]
}

function follow(root: ParentNode, steps: readonly Step[], fuel: Fuel): readonly Element[] {
  let at: readonly ParentNode[] = [root]
  for (const { combinator, compound } of steps) {
    const next = new Set<Element>()
    const take = (element: Element): void => {
      fuel.burn(1 + compound.attributes.length)
      if (passes(element, compound, fuel)) next.add(element)
    }
    if (combinator === ' ') takeBelow(at, take, fuel)
    else
      for (const node of at) for (const element of combinator === '>' ? childrenOf(node) : nextOf(node)) take(element)
    at = [...next]
  }
  return at.filter(isElement)
}

/** Each element below any of these, once: of two of which one stands in the other, only the outer one is gone through. */
function takeBelow(nodes: readonly ParentNode[], take: (element: Element) => void, fuel: Fuel): void {
  const inside = new Set<ParentNode>(nodes)
  for (const node of nodes) {
    if (hasAbove(node, inside, fuel)) continue
    const stack = childrenOf(node).toReversed()
    for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
      take(element)
      stack.push(...childrenOf(element).toReversed())
    }
  }
}

function hasAbove(node: ParentNode, nodes: ReadonlySet<ParentNode>, fuel: Fuel): boolean {
  for (let above = node.parent; above !== null; above = above.parent) {
    fuel.burn()
    if (nodes.has(above)) return true
  }
  return false
}

const childrenOf = (node: ParentNode): Element[] => node.children.filter(isElement)

function nextOf(node: ParentNode): Element[] {
  for (let next = node.next; next !== null; next = next.next) if (isElement(next)) return [next]
  return []
}

function passes(element: Element, { name, attributes, places }: Compound, fuel: Fuel): boolean {
  if (name !== undefined && element.name !== name) return false
  if (!attributes.every((test) => hasAttribute(element, test))) return false
  return places.every(({ at, ofType }) => {
    const siblings = element.parent
      ? childrenOf(element.parent).filter((one) => !ofType || one.name === element.name)
      : []
    fuel.burn(siblings.length)
    return siblings.at(at > 0 ? at - 1 : at) === element
  })
}

function hasAttribute({ attribs }: Element, { name, sign, value }: AttributeTest): boolean {
  const given = ownValue(attribs, name)
  if (given === undefined || sign === undefined) return given !== undefined
  if (sign === '=') return given === value
  if (value === '') return false
  if (sign === '~=') return given.split(/\s+/).includes(value)
  if (sign === '^=') return given.startsWith(value)
  return sign === '$=' ? given.endsWith(value) : given.includes(value)
}
