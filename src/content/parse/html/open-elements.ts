import type { Element } from '../../html/tree.js'
import { FOREIGN, flagsOf, INTEGRATION_POINT, SCOPE, SPECIAL } from './element-rules.js'

/** The stack of open elements. @see https://html.spec.whatwg.org/multipage/parsing.html#the-stack-of-open-elements */
export class OpenElements {
  /** Items from `depth` on are of elements that were closed. */
  readonly #stack: Element[] = []
  /** Flags of the element rules, by index on the stack. */
  readonly #flags: number[] = []
  /** Flags that an element or any around it has, by index on the stack: most searches end here. */
  readonly #around: number[] = []

  depth = 0
  current: Element | undefined
  /** Flags of the current element; 0 without one. */
  flags = 0
  /** Flags that any open element has. */
  allFlags = 0

  at(index: number): Element | undefined {
    return index < 0 || index >= this.depth ? undefined : this.#stack[index]
  }

  push(element: Element, flags: number): void {
    const { depth } = this
    this.#stack[depth] = element
    this.#flags[depth] = flags
    this.#around[depth] = this.allFlags |= flags
    this.depth = depth + 1
    this.current = element
    this.flags = flags
  }

  pop(): void {
    this.closeFrom(this.depth - 1)
  }

  /** Removes one element; the elements inside it stay open. */
  remove(index: number): Element | undefined {
    const removed = this.at(index)
    const { depth } = this
    this.closeFrom(index)
    for (let at = index + 1; at < depth; at++) {
      const element = this.#stack[at]
      if (element !== undefined) this.push(element, this.#flags[at] ?? 0)
    }
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
    return this.depth === 0 ? -1 : this.#stack.lastIndexOf(element, this.depth - 1)
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
    if ((this.allFlags & flag) === 0) return -1
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
    this.depth = index
    this.current = index === 0 ? undefined : this.#stack[index - 1]
    this.flags = index === 0 ? 0 : (this.#flags[index - 1] ?? 0)
    this.allFlags = index === 0 ? 0 : (this.#around[index - 1] ?? 0)
  }

  /** True inside SVG and MathML. */
  get inForeign(): boolean {
    if ((this.allFlags & FOREIGN) === 0) return false
    for (let at = this.depth - 1; at >= 0; at--) {
      const flags = this.#flags[at] ?? 0
      if ((flags & FOREIGN) !== 0) return true
      if ((flags & (SPECIAL | INTEGRATION_POINT)) !== 0) return false
    }
    return false
  }
}

/** Names of the open elements that are nested too deep for the stack of open elements. */
export class DeepElements {
  readonly #names: string[] = []
  readonly #counts = new Map<string, number>()
  /** Number of elements that end tags of elements around them do not close, or that may contain HTML in a drawing. */
  #boundaries = 0

  get depth(): number {
    return this.#names.length
  }

  /** True if no end tag closes an element around all of these. */
  get isBounded(): boolean {
    return this.#boundaries > 0
  }

  push(name: string, flags: number): void {
    this.#names.push(name)
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    if ((flags & BOUNDARY) !== 0) this.#boundaries += 1
  }

  /** Closes the innermost element of a name and all inside it. @returns false if there is none */
  close(name: string): boolean {
    if ((this.#counts.get(name) ?? 0) === 0) return false
    for (let last = this.#names.pop(); last !== undefined; last = this.#names.pop()) {
      this.#counts.set(last, (this.#counts.get(last) ?? 0) - 1)
      if ((flagsOf(last) & BOUNDARY) !== 0) this.#boundaries -= 1
      if (last === name) break
    }
    return true
  }

  clear(): void {
    this.#names.length = 0
    this.#counts.clear()
    this.#boundaries = 0
  }
}

const BOUNDARY = SCOPE | INTEGRATION_POINT
