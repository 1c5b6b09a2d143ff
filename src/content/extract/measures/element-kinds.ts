import { onceFor } from '../../../base/collections/once-for.js'
import type { Element } from '../../html/tree.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/** The kinds of a page's elements, as numbers from 1. */
class ElementKinds {
  /** Kinds of the regions that contain text, by {@link Region.at}. They are numbered in document order. */
  readonly ofRegions: Int32Array
  readonly #numbers = new Map<string, number>()
  /** Numbers by tag name and class names as written, so that the kind of an element need not be made as a string. */
  readonly #byNames = new Map<string, Map<string, number>>()

  constructor({ regions, holders }: TextBlocks) {
    this.ofRegions = new Int32Array(regions.length)
    for (const { at, element } of holders) this.ofRegions[at] = this.numberOf(element)
  }

  /** Returns the kind of any element. */
  numberOf(element: Element): number {
    const { name, attribs } = element
    const classes = attribs['class'] ?? ''
    let byClasses = this.#byNames.get(name)
    if (byClasses === undefined) this.#byNames.set(name, (byClasses = new Map()))
    let number = byClasses.get(classes)
    if (number !== undefined) return number
    const kind = kindOf(element)
    number = this.#numbers.get(kind) ?? this.#numbers.size + 1
    this.#numbers.set(kind, number)
    byClasses.set(classes, number)
    return number
  }
}

/** Numbers the kinds of a page's elements. */
export const findKinds: (page: TextBlocks) => ElementKinds = onceFor((page) => new ElementKinds(page))

/** Returns an element's kind: its tag name and first class, without the numbers that many systems put into it, as `post-123`. */
export function kindOf({ name, attribs }: Element): string {
  const classes = attribs['class']
  if (classes === undefined) return `${name}.`
  // Called many times for each element. A regular expression would take several times as long.
  const names = classes.trimStart()
  let end = 0
  while (end < names.length && !endsName(names.charCodeAt(end))) end += 1
  if (names.charCodeAt(end) > LAST_ASCII) end = names.search(/\s|$/)
  return `${name}.${names.slice(0, end).replace(/^((?:post|comment|reply|item|entry|product|node|topic|thread|message|msg|row|card|result|listing)[-_]?)\d+/i, '$1#')}`
}

const SPACE = 32
const LAST_ASCII = 127

/** True for white space of ASCII, and for signs that may be other white space. */
const endsName = (code: number): boolean =>
  code <= SPACE ? code === SPACE || (code >= 9 && code <= 13) : code > LAST_ASCII
