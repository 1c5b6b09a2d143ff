import type { Element } from '../../html/tree.js'
import { INTEGRATION_POINT, SPECIAL } from './element-rules.js'

/** The stack of open elements. @see https://html.spec.whatwg.org/multipage/parsing.html#the-stack-of-open-elements */
export class OpenElements {
  readonly #stack: Element[] = []

  get current(): Element | undefined {
    return this.#stack.at(-1)
  }

  get depth(): number {
    return this.#stack.length
  }

  at(index: number): Element | undefined {
    return this.#stack[index]
  }

  push(element: Element): void {
    this.#stack.push(element)
  }

  pop(): void {
    this.#stack.pop()
  }

  /** Removes one element; the elements inside it stay open. */
  remove(index: number): Element | undefined {
    return this.#stack.splice(index, 1)[0]
  }

  /** Returns the elements from an index on, outermost first. */
  from(index: number): Element[] {
    return this.#stack.slice(index)
  }

  indexOf(element: Element): number {
    return this.#stack.lastIndexOf(element)
  }

  /** Returns the index of the innermost open element of these names; -1 if a boundary comes first. */
  find(name: string | ReadonlySet<string>, boundaries: ReadonlySet<string>): number {
    for (let at = this.#stack.length - 1; at >= 0; at--) {
      const open = this.#stack[at]?.name ?? ''
      if (typeof name === 'string' ? open === name : name.has(open)) return at
      if (boundaries.has(open)) return -1
    }
    return -1
  }

  /** Closes an element and all inside it; nothing for -1. */
  closeFrom(index: number): void {
    if (index !== -1) this.#stack.length = index
  }

  /** True inside SVG and MathML. */
  get inForeign(): boolean {
    for (let at = this.#stack.length - 1; at >= 0; at--) {
      const name = this.#stack[at]?.name ?? ''
      if (name === 'svg' || name === 'math') return true
      if (SPECIAL.has(name) || INTEGRATION_POINT.has(name)) return false
    }
    return false
  }
}
