import { type ChildNode, type Element, Text, append, textOf } from '../../html/tree.js'
import { createElement } from './create-element.js'
import { decodeSymbols, type SymbolFont } from './symbol-fonts.js'

/** Formatting of a piece of text. */
export interface TextStyle {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strike?: boolean
  readonly raised?: 'sup' | 'sub'
  /** True for monospaced text. */
  readonly code?: boolean
  /** Symbol font, if the text is written in one. */
  readonly symbols?: SymbolFont
  readonly href?: string
}

/** Returns the elements to wrap text in: a name, or `a` with the link target. */
const wrappersOf = ({ bold, italic, strike, raised, code, href }: TextStyle): string[] => [
  ...(href === undefined ? [] : [`a ${href}`]),
  ...(bold === true ? ['strong'] : []),
  ...(italic === true ? ['em'] : []),
  ...(strike === true ? ['del'] : []),
  ...(raised === undefined ? [] : [raised]),
  ...(code === true ? ['code'] : []),
]

const SINGLE_LETTER = /^\p{L}$/u
const LEADING_LETTER = /^\p{L}/u

/**
 * Appends pieces of text to a line. Programs divide text into more pieces than the formatting requires; adjacent pieces
 * with the same formatting are joined in one element.
 */
export class LineBuilder {
  #open: { readonly wrapper: string; readonly element: Element }[] = []

  constructor(readonly into: Element) {}

  text(written: string, asked: TextStyle = {}): void {
    const data = asked.symbols === undefined ? written : decodeSymbols(written, asked.symbols)
    if (data === '') return
    const style = asked.code === true && this.#isInWord(data) ? { ...asked, code: false } : asked
    if (style.code !== true && LEADING_LETTER.test(data)) this.#uncodeFirstLetter()
    // White space joins the element before it, so that formatting is not interrupted between words.
    const parent = data.trim() === '' && style.href === undefined ? this.#innermost() : this.#enter(wrappersOf(style))
    const last = parent.lastChild
    if (last instanceof Text) last.data += data
    else append(parent, new Text(data))
  }

  /** Appends a node to the line: a line break, an image, a note reference. */
  node(node: ChildNode, style: TextStyle = {}): void {
    append(this.#enter(style.href === undefined ? [] : [`a ${style.href}`]), node)
  }

  /**
   * Tests if the text is a single letter that continues a word. If such a letter is monospaced, it is an editing
   * mistake, not code.
   */
  #isInWord(data: string): boolean {
    if (!SINGLE_LETTER.test(data)) return false
    const open = this.#open.at(-1)
    const last = (open?.wrapper === 'code' ? undefined : (open?.element ?? this.into))?.lastChild
    return last instanceof Text && /[\p{L}\p{N}]$/u.test(last.data)
  }

  /** Removes the code formatting of a single letter at the start of a word, which is an editing mistake too. */
  #uncodeFirstLetter(): void {
    const open = this.#open.at(-1)
    if (open?.wrapper !== 'code') return
    const { element } = open
    const { parent, prev } = element
    const letter = textOf(element)
    if (parent === null || !SINGLE_LETTER.test(letter) || (prev instanceof Text && /\S$/.test(prev.data))) return
    parent.children.pop()
    element.parent = element.prev = null
    if (prev !== null) prev.next = null
    if (prev instanceof Text) prev.data += letter
    else append(parent, new Text(letter))
    this.#open.pop()
  }

  #innermost(): Element {
    return this.#open.at(-1)?.element ?? this.into
  }

  #enter(wrappers: readonly string[]): Element {
    let same = 0
    while (same < wrappers.length && this.#open[same]?.wrapper === wrappers[same]) same += 1
    this.#open.length = same
    for (const wrapper of wrappers.slice(same)) {
      const [name = '', ...address] = wrapper.split(' ')
      const element = createElement(name, name === 'a' ? { href: address.join(' ') } : {})
      append(this.#innermost(), element)
      this.#open.push({ wrapper, element })
    }
    return this.#innermost()
  }
}

/** Matches the names of monospaced fonts. */
const CODE_FONT =
  /courier|consolas|\bmono(?:space)?\b|mono$|menlo|monaco|lucida console|andale|inconsolata|cascadia|source ?code|fira ?code|hack|ocr/i

export const isCodeFont = (font: string | undefined): boolean => font !== undefined && CODE_FONT.test(font)

/** Matches the names of code styles. */
const CODE_STYLE = /\b(?:preformatted|code|listing|verbatim)\b|^HTMLPreformatted$|source_20_code|sourcecode/i

export const isCodeStyle = (name: string | undefined): boolean => name !== undefined && CODE_STYLE.test(name)

/** Kind of a special paragraph. */
export type ParagraphKind = 'code' | 'quote'

const QUOTE_STYLE = /^(?:intense ?)?quot(?:e|ations?)$|^block ?(?:text|quote)$/i

/** Returns the kind of paragraphs with a style of this name. */
export const kindByName = (name: string | undefined): ParagraphKind | undefined =>
  isCodeStyle(name) ? 'code' : name !== undefined && QUOTE_STYLE.test(name) ? 'quote' : undefined
