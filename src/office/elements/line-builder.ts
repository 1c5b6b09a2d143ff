import { type ChildNode, type Element, Text, append, textOf } from '../../html/tree.js'
import { createElement } from './create-element.js'
import { decodeSymbols, type SymbolFont } from './symbol-fonts.js'

/** How a piece of text is set. */
export interface TextStyle {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strike?: boolean
  readonly raised?: 'sup' | 'sub' | undefined
  /** In a font whose letters are all of one width. */
  readonly code?: boolean
  /** The font of signs that it is written in. */
  readonly symbols?: SymbolFont | undefined
  readonly href?: string | undefined
}

/** A wrapper around text: an element's name, and where a link leads. */
const wrappersOf = ({ bold, italic, strike, raised, code, href }: TextStyle): string[] => [
  ...(href === undefined ? [] : [`a ${href}`]),
  ...(bold === true ? ['strong'] : []),
  ...(italic === true ? ['em'] : []),
  ...(strike === true ? ['del'] : []),
  ...(raised === undefined ? [] : [raised]),
  ...(code === true ? ['code'] : []),
]

const ONE_LETTER = /^\p{L}$/u
const LETTERS_FIRST = /^\p{L}/u

/**
 * Puts pieces of text together. Programs cut text into pieces for reasons of their own; pieces that are set alike stand in one
 * element again.
 */
export class LineBuilder {
  #open: { readonly wrapper: string; readonly element: Element }[] = []

  constructor(readonly into: Element) {}

  text(written: string, asked: TextStyle = {}): void {
    const data = asked.symbols === undefined ? written : decodeSymbols(written, asked.symbols)
    if (data === '') return
    const style = asked.code === true && this.#isInWord(data) ? { ...asked, code: false } : asked
    if (style.code !== true && LETTERS_FIRST.test(data)) this.#mendWord()
    // White space shows no style: it goes with what is before it, so that marks are not broken off between words.
    const parent = data.trim() === '' && style.href === undefined ? this.#innermost() : this.#enter(wrappersOf(style))
    const last = parent.lastChild
    if (last instanceof Text) last.data += data
    else append(parent, new Text(data))
  }

  /** A node in the line: a break, a picture, the mark of a note. */
  node(node: ChildNode, style: TextStyle = {}): void {
    append(this.#enter(style.href === undefined ? [] : [`a ${style.href}`]), node)
  }

  /** Whether it is a letter of a word that is set otherwise: a slip of the writer, and no code. */
  #isInWord(data: string): boolean {
    if (!ONE_LETTER.test(data)) return false
    const open = this.#open.at(-1)
    const last = (open?.wrapper === 'code' ? undefined : (open?.element ?? this.into))?.lastChild
    return last instanceof Text && /[\p{L}\p{N}]$/u.test(last.data)
  }

  /** The same for the first letter of a word. */
  #mendWord(): void {
    const open = this.#open.at(-1)
    if (open?.wrapper !== 'code') return
    const { element } = open
    const { parent, prev } = element
    const letter = textOf(element)
    if (parent === null || !ONE_LETTER.test(letter) || (prev instanceof Text && /\S$/.test(prev.data))) return
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

/** Fonts whose letters are all of one width, by name. */
const CODE_FONT =
  /courier|consolas|\bmono(?:space)?\b|mono$|menlo|monaco|lucida console|andale|inconsolata|cascadia|source ?code|fira ?code|hack|ocr/i

export const isCodeFont = (font: string | undefined): boolean => font !== undefined && CODE_FONT.test(font)

/** Names of styles for listings. */
const CODE_STYLE = /\b(?:preformatted|code|listing|verbatim)\b|^HTMLPreformatted$|source_20_code|sourcecode/i

export const isCodeStyle = (name: string | undefined): boolean => name !== undefined && CODE_STYLE.test(name)

/** What a paragraph is that is neither a heading nor plain text. */
export type ParagraphKind = 'code' | 'quote'

const QUOTE_STYLE = /^(?:intense ?)?quot(?:e|ations?)$|^block ?(?:text|quote)$/i

/** What paragraphs are in a style of this name. */
export const kindByName = (name: string | undefined): ParagraphKind | undefined =>
  isCodeStyle(name) ? 'code' : name !== undefined && QUOTE_STYLE.test(name) ? 'quote' : undefined
