import { type ChildNode, type Element, Text, append } from '../../html/tree.js'
import { cleanSource } from './build-tree.js'
import { makeElement } from './load-tree.js'
import { BREAKS } from './strip-tags.js'
import { type TokenSink, tokenize } from './tokenize.js'

/** Maximum number of links and of elements of the head. The others are dropped. */
const MAX_ELEMENTS = 200_000

/** Elements of the head that hold metadata, and elements without text that lead to other pages. */
const HEAD = new Set(['meta', 'link', 'area', 'iframe', 'frame'])

/** Elements whose text is not shown. */
const UNSHOWN = new Set(['script', 'style'])

/** Text of an HTML page, read without a tree. */
interface LinkedText {
  /** One paragraph for each block, white space collapsed. */
  readonly text: string
  /** The same text in pieces: texts and `a` elements. */
  readonly content: readonly ChildNode[]
  /** `title`, and the elements with metadata and with links that have no text. */
  readonly head: readonly Element[]
  /** First `<base href>`, as written. */
  readonly baseHref: string | undefined
}

/**
 * Reads the text, links and metadata of HTML without building a tree. It is used for pages that are too large or too costly
 * to parse, and takes linear time for any input.
 */
export function readLinkedText(source: string): LinkedText {
  const reader = new LinkedTextReader()
  tokenize(cleanSource(source), reader)
  return reader.finish()
}

class LinkedTextReader implements TokenSink {
  /** Foreign elements are not told apart: the text of a CDATA section is dropped. */
  readonly inForeign = false
  readonly #pieces: string[] = []
  readonly #content: ChildNode[] = []
  readonly #head: Element[] = []
  #title: string | undefined
  #baseHref: string | undefined
  #elements = 0
  /** White space before the next text. */
  #space: '' | ' ' | '\n\n' = ''
  /** Name of the open element whose text is not shown, or is the title. */
  #within: string | undefined
  #link: Element | undefined
  #own: Text | undefined

  startTag(name: string, attributes: Record<string, string>): void {
    if (this.#within !== undefined) return
    if (UNSHOWN.has(name) || (name === 'title' && this.#title === undefined)) this.#within = name
    else if (BREAKS.has(name)) this.#space = '\n\n'
    else if (name === 'a') this.#openLink(attributes)
    else if (name === 'base') this.#baseHref ??= attributes['href']
    else if (name === 'img') this.#nameByImage(attributes['alt'])
    else if (HEAD.has(name) && this.#hasRoom()) this.#head.push(makeElement(name, attributes))
  }

  endTag(name: string): void {
    if (name === this.#within) {
      this.#within = undefined
      if (name === 'title') this.#space = '\n\n'
    } else if (name === 'a') this.#closeLink()
    else if (BREAKS.has(name)) this.#space = '\n\n'
  }

  addText(data: string): void {
    if (this.#within === 'title') this.#title = (this.#title ?? '') + data
    else if (this.#within !== undefined) return
    const text = data.replace(/\s+/g, ' ')
    const shown = text.trim()
    if (text.startsWith(' ') && this.#space === '') this.#space = ' '
    if (shown === '') return
    this.#add(shown)
    if (text.endsWith(' ')) this.#space = ' '
  }

  finish(): LinkedText {
    this.#closeLink()
    const title = this.#title === undefined ? [] : [makeElement('title', {}, [new Text(this.#title)])]
    return {
      text: this.#pieces.join(''),
      content: this.#content,
      head: [...title, ...this.#head],
      baseHref: this.#baseHref,
    }
  }

  #add(shown: string): void {
    const space = this.#pieces.length === 0 ? '' : this.#space
    this.#space = ''
    this.#pieces.push(space, shown)
    const link = this.#link
    if (link === undefined) this.#addOutside(space + shown)
    else if (link.children.length === 0) {
      this.#addOutside(space)
      append(link, new Text(shown))
    } else append(link, new Text(space + shown))
  }

  /** Adds text outside of links, as one node between two of them. */
  #addOutside(text: string): void {
    if (text === '') return
    if (this.#own === undefined) this.#content.push((this.#own = new Text(text)))
    else this.#own.data += text
  }

  #openLink(attributes: Record<string, string>): void {
    this.#closeLink()
    if (attributes['href'] !== undefined && this.#hasRoom()) this.#link = makeElement('a', attributes)
  }

  /** Keeps the name of an image, which is the name of a link without text. */
  #nameByImage(alt: string | undefined): void {
    if (this.#link !== undefined && alt !== undefined) this.#link.attribs['title'] ??= alt
  }

  #closeLink(): void {
    if (this.#link === undefined) return
    this.#content.push(this.#link)
    this.#link = undefined
    this.#own = undefined
  }

  #hasRoom(): boolean {
    this.#elements += 1
    return this.#elements <= MAX_ELEMENTS
  }
}
