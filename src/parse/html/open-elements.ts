import type { Element } from '../../html/tree.js'
import { FOREIGN, INTEGRATION_POINT, SPECIAL } from './element-rules.js'

/** The stack of open elements. @see https://html.spec.whatwg.org/multipage/parsing.html#the-stack-of-open-elements */
export class OpenElements {
  readonly #stack: Element[] = []
  /** Flags of the element rules, by index on the stack. */
  readonly #flags: number[] = []

  depth = 0
  current: Element | undefined
  /** Flags of the current element; 0 without one. */
  flags = 0

  at(index: number): Element | undefined {
    return this.#stack[index]
  }

  push(element: Element, flags: number): void {
    this.#stack.push(element)
    this.#flags.push(flags)
    this.depth += 1
    this.current = element
    this.flags = flags
  }

  pop(): void {
    this.closeFrom(this.depth - 1)
  }

  /** Removes one element; the elements inside it stay open. */
  remove(index: number): Element | undefined {
    const [removed] = this.#stack.splice(index, 1)
    this.#flags.splice(index, 1)
    this.#noteTop()
    return removed
  }

  /** Returns the special elements from an index on, outermost first. */
  specialFrom(index: number): Element[] {
    const special: Element[] = []
    for (let at = index; at < this.depth; at++) {
      const element = this.#stack[at]
      if (element !== undefined && ((this.#flags[at] ?? 0) & SPECIAL) !== 0) special.push(element)
    }
    return special
  }

  indexOf(element: Element): number {
    return this.#stack.lastIndexOf(element)
  }

  /** Returns the index of the innermost open element of this name; -1 if one with a flag of the boundaries comes first. */
  find(name: string, boundaries: number): number {
    for (let at = this.depth - 1; at >= 0; at--) {
      if (this.#stack[at]?.name === name) return at
      if (((this.#flags[at] ?? 0) & boundaries) !== 0) return -1
    }
    return -1
  }

  /** Returns the index of the innermost open element with this flag; -1 if one of the boundaries comes first. */
  findFlag(flag: number, boundaries: number): number {
    for (let at = this.depth - 1; at >= 0; at--) {
      const flags = this.#flags[at] ?? 0
      if ((flags & flag) !== 0) return at
      if ((flags & boundaries) !== 0) return -1
    }
    return -1
  }

  /** Closes an element and all inside it; nothing for -1. */
  closeFrom(index: number): void {
    if (index === -1) return
    // Most often one element is closed, and a new length for an array takes ten times as long.
    while (this.#stack.length > index) {
      this.#stack.pop()
      this.#flags.pop()
    }
    this.#noteTop()
  }

  /** True inside SVG and MathML. */
  get inForeign(): boolean {
    for (let at = this.depth - 1; at >= 0; at--) {
      const flags = this.#flags[at] ?? 0
      if ((flags & FOREIGN) !== 0) return true
      if ((flags & (SPECIAL | INTEGRATION_POINT)) !== 0) return false
    }
    return false
  }

  #noteTop(): void {
    const depth = this.#stack.length
    this.depth = depth
    this.current = depth === 0 ? undefined : this.#stack[depth - 1]
    this.flags = depth === 0 ? 0 : (this.#flags[depth - 1] ?? 0)
  }
}
