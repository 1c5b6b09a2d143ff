import { type Element, parentElement } from '../../html/tree.js'
import type { Cascade } from './cascade.js'
import { evaluate, type ConditionOutcome } from './css-condition.js'
import { kindOfMedia } from './media-query.js'
import { splitAtSemicolons } from './scan-css.js'
import { closeOf, splitAtCommas, splitAtSpaces } from './split-value.js'
import type { RegisteredProperty } from './style-sheet.js'
import { isSupported } from './supports.js'

/** Maximum nesting of values within each other, and maximum length of what they come to. Characters. */
const MAX_DEPTH = 20
const MAX_LENGTH = 2000

const FUNCTION = /(?<![\w-])(var|env|attr|if)\(/g

/** True for a value that has to be computed first. */
export const isComputed = (value: string): boolean =>
  value.includes('(') && /(?<![\w-])(?:var|env|attr|if)\(/.test(value)

/** The values of the custom properties of a page's elements. */
export class CustomProperties {
  readonly #cascade: Cascade
  readonly #registered = new Map<string, RegisteredProperty>()
  readonly #values = new Map<string, Map<Element, string | undefined>>()
  /** Properties that are being computed, and those that depend on themselves: they have no value. */
  readonly #open: string[] = []
  readonly #circular = new Set<string>()

  constructor(cascade: Cascade, registered: readonly RegisteredProperty[]) {
    this.#cascade = cascade
    for (const property of registered) this.#registered.set(property.name, property)
  }

  /**
   * Puts the values of functions such as `var()` into a value of an element.
   *
   * @returns undefined for a value that has one without a value
   */
  substitute(element: Element, text: string, depth = 0): string | undefined {
    if (!isComputed(text)) return text
    if (depth > MAX_DEPTH) return undefined
    const parts: string[] = []
    let from = 0
    let length = 0
    for (const { 0: begin, 1: kind = '', index } of text.matchAll(FUNCTION)) {
      if (index < from) continue
      const end = closeOf(text, index + begin.length)
      const value = this.#compute(element, kind, text.slice(index + begin.length, end), depth)
      length += value?.length ?? 0
      if (value === undefined || length > MAX_LENGTH) return undefined
      parts.push(text.slice(from, index), value)
      from = end + 1
    }
    return `${parts.join('')}${text.slice(from)}`.trim()
  }

  #compute(element: Element, kind: string, inner: string, depth: number): string | undefined {
    if (kind === 'if') return this.#choose(element, inner, depth)
    const [first = '', ...rest] = splitAtCommas(inner)
    const name = first.trim()
    const value =
      kind === 'var'
        ? this.#valueOf(element, name)
        : kind === 'env'
          ? ENVIRONMENT.test(name)
            ? '0px'
            : undefined
          : attributeOf(element, name)
    if (value !== undefined) return value
    return rest.length === 0 ? undefined : this.substitute(element, rest.join(',').trim(), depth + 1)
  }

  /** Returns the value of the first condition of an `if()` that holds. */
  #choose(element: Element, inner: string, depth: number): string | undefined {
    const test = (text: string, name: string): ConditionOutcome => {
      if (name === 'media') return kindOfMedia(text.startsWith('(') || !text.includes(':') ? text : `(${text})`)
      if (name === 'supports') return isSupported(/^[\w-]+\s*:/.test(text) ? `(${text})` : text) ? 'all' : 'none'
      if (name !== 'style') return 'unknown'
      const [property = '', wanted] = text.split(/:([^]*)/)
      const value = this.#valueOf(element, property.trim())
      return wanted === undefined ? (value === undefined ? 'none' : 'all') : value === wanted.trim() ? 'all' : 'none'
    }
    for (const branch of splitAtSemicolons(inner)) {
      const [condition, value] = splitAtColon(branch)
      if (/^\s*else\s*$/.test(condition) || evaluate(condition, test) === 'all')
        return this.substitute(element, value.trim(), depth + 1)
    }
    return undefined
  }

  #valueOf(element: Element, name: string): string | undefined {
    const registered = this.#registered.get(name)
    const known = this.#values.get(name) ?? new Map<Element, string | undefined>()
    this.#values.set(name, known)
    const passed: Element[] = []
    let value: string | undefined
    for (let at: Element | undefined = element; at !== undefined; at = parentElement(at)) {
      if (known.has(at)) {
        value = known.get(at)
        break
      }
      passed.push(at)
      const own = this.#cascade.partOfStyle(at, name).get(name)?.value
      if (own !== undefined && !(registered?.inherits !== false && INHERITING.test(own))) {
        value = EMPTYING.test(own) ? undefined : this.#read(at, name, own)
        break
      }
      if (registered?.inherits === false) break
    }
    value ??= registered?.initial
    // What depends on itself is computed within itself, where it has no value yet.
    if (!this.#open.includes(name)) for (const one of passed) known.set(one, value)
    return value
  }

  #read(element: Element, name: string, own: string): string | undefined {
    const begin = this.#open.indexOf(name)
    if (begin !== -1) {
      for (const one of this.#open.slice(begin)) this.#circular.add(one)
      return undefined
    }
    if (this.#open.length > MAX_DEPTH) return undefined
    this.#open.push(name)
    const value = this.substitute(element, own)
    this.#open.pop()
    return this.#circular.delete(name) ? undefined : value
  }
}

const INHERITING = /^(?:inherit|unset|revert|revert-layer)$/
const EMPTYING = /^(?:initial|unset|revert|revert-layer)$/
const ENVIRONMENT = /^(?:safe-area-(?:max-)?inset-|titlebar-area-|keyboard-inset-|viewport-segment-)/

/** Reads the attribute that an `attr()` names. One without a type is a string, which no property has that is read. */
function attributeOf({ attribs }: Element, text: string): string | undefined {
  const [name = '', type] = splitAtSpaces(text)
  const value = attribs[name]
  if (value === undefined || type === undefined) return value === undefined ? undefined : '""'
  return /^[a-z%]+$/.test(type) && type !== 'raw-string' && type !== 'number'
    ? `${value.trim()}${type}`
    : value.trim().toLowerCase()
}

/** Divides a branch at the colon behind its condition. */
function splitAtColon(text: string): [string, string] {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (sign === ':' && depth === 0) return [text.slice(0, at), text.slice(at + 1)]
  }
  return [text, '']
}
