import { parseJson } from '../../base/text/parse-json.js'
import { BLOCK_ELEMENTS, type ChildNode, type Element, isElement, isText, walk } from '../../content/html/tree.js'
import type { ParsedPage } from '../../content/parse/parser.js'
import { MARKUP_ELEMENTS } from './chat-markup.js'
import type { InjectionPlace } from './prompt-injection.js'

/** A text of a page. */
export interface InjectionText {
  readonly text: string
  readonly where: InjectionPlace
  /** Name of the attribute, the meta tag, the element. */
  readonly name?: string
  /** True for what the page marks as a quotation or as code. */
  readonly isQuoted: boolean
  /** True for a text after one that ends with a colon, and for the further items of its list. */
  readonly isIntroduced: boolean
}

/** Maximum length of all texts of a page, and of an attribute `style` that is read. Characters. */
const MAX_CHARACTERS = 4_000_000
const MAX_ATTRIBUTE = 4000

/** Minimum length of a text that may be an order. Characters. */
const MIN_LENGTH = 12
const MIN_DENSE = 4

const QUOTING_BLOCKS: ReadonlySet<string> = new Set([
  'pre',
  'blockquote',
  'listing',
  'xmp',
  'textarea',
  'figcaption',
  'td',
  'th',
])
const QUOTING: ReadonlySet<string> = new Set(['code', 'q', 'samp', 'kbd', 'tt', 'cite', 'var'])
/** Attributes that have no words for a reader. */
const WORDLESS =
  /^(?:class|id|style|href|src|srcset|data-src|data-srcset|sizes|d|points|viewbox|transform|rel|type|name|for|action|method|integrity|on[a-z]+|http-equiv|charset|xmlns.*|itemtype|itemprop|property|role|width|height|media|lang|dir|fill|stroke)$/
/** One word, which can be no order, nor an encoded one. */
const WORD = /^[\w./:#?&=,;@()+-]{1,40}$/
/** Declarations that hide an element, without spaces. */
const HIDING = [
  'display:none',
  'visibility:hidden',
  'opacity:0;',
  'font-size:0;',
  'font-size:0px;',
  'left:-999',
  'text-indent:-999',
]

/** Lists the texts of a page. @returns isCut if there are more than are read */
export function readPageTexts(page: ParsedPage): { readonly texts: readonly InjectionText[]; readonly isCut: boolean } {
  const reader = new TextReader()
  if (page.markdown === undefined || page.isFile === undefined) {
    walk(
      page.tree.root,
      (node) => reader.enter(node),
      (element) => reader.leave(element),
    )
    reader.endBlock()
  } else readMarkdown(page.markdown, reader)
  if (page.isFile === undefined) readComments(page.text, reader)
  return { texts: reader.texts, isCut: reader.left < 0 }
}

/** A text to add. */
type GivenText = Omit<InjectionText, 'isQuoted' | 'isIntroduced'> & Partial<InjectionText>

class TextReader {
  readonly texts: InjectionText[] = []
  left = MAX_CHARACTERS
  #text: string[] = []
  /** Elements that are open and hide, or quote, what is in them. */
  #hiding: Element | undefined
  #quoting: Element | undefined
  #list: { readonly element: Element; readonly isIntroduced: boolean } | undefined
  #endsWithColon = false

  add({ isQuoted = false, isIntroduced = false, ...given }: GivenText): void {
    const { length } = given.text
    if (length < MIN_DENSE || (length < MIN_LENGTH && given.text.charCodeAt(0) < 0x0e00) || this.left < 0) return
    this.left -= length
    this.texts.push({ ...given, isQuoted, isIntroduced })
  }

  enter(node: ChildNode): boolean {
    if (this.left < 0) return false
    if (isText(node)) {
      this.#text.push(node.data)
      return false
    }
    if (!isElement(node)) return false
    const { name, attribs } = node
    this.#readAttributes(node)
    if (name === 'script' || name === 'style') {
      if (name === 'script' && /json/i.test(attribs['type'] ?? '') && /ld\+json/i.test(attribs['type'] ?? ''))
        this.#readLinkedData(node)
      return false
    }
    if (MARKUP_ELEMENTS.has(name)) this.add({ text: `<${name}> as an element`, where: 'markup', name })
    if (BLOCK_ELEMENTS.has(name) || name === 'br' || name === 'title' || name === 'option') this.endBlock()
    if ((name === 'ul' || name === 'ol') && this.#list === undefined)
      this.#list = { element: node, isIntroduced: this.#endsWithColon }
    if (this.#hiding === undefined && isHiding(node)) {
      this.endBlock()
      this.#hiding = node
    }
    if (this.#quoting === undefined && QUOTING_BLOCKS.has(name)) {
      this.endBlock()
      this.#quoting = node
    }
    if (QUOTING.has(name)) this.#text.push('“')
    return true
  }

  leave(element: Element): void {
    const { name } = element
    if (QUOTING.has(name)) this.#text.push('”')
    if (name === 'title') this.#end('metadata', 'title')
    if (BLOCK_ELEMENTS.has(name) || name === 'option') this.endBlock()
    if (this.#hiding === element) {
      this.endBlock()
      this.#hiding = undefined
    }
    if (this.#quoting === element) {
      this.endBlock()
      this.#quoting = undefined
    }
    if (this.#list?.element === element) this.#list = undefined
  }

  endBlock(): void {
    this.#end(this.#hiding ? 'hidden' : 'text')
  }

  #end(where: InjectionPlace, name?: string): void {
    const text = this.#text.join('').trim()
    this.#text = []
    if (text === '') return
    this.add({
      text,
      where,
      name,
      isQuoted: this.#quoting !== undefined,
      isIntroduced: this.#endsWithColon || this.#list?.isIntroduced === true,
    })
    this.#endsWithColon = /[:：]”?$/.test(text.slice(-2))
  }

  #readAttributes({ name: tag, attribs }: Element): void {
    for (const [name, value] of Object.entries(attribs)) {
      // Most values are addresses, numbers and names for scripts.
      if (value.length < MIN_DENSE || WORDLESS.test(name) || (value.length < 200 && WORD.test(value))) continue
      const isMeta = tag === 'meta' && name === 'content'
      const called = isMeta ? (attribs['name'] ?? attribs['property'] ?? name) : name
      this.add({ text: value, where: isMeta ? 'metadata' : 'attribute', name: called })
    }
  }

  #readLinkedData(script: Element): void {
    const [source] = script.children
    if (!source || !isText(source)) return
    let value: unknown
    try {
      value = parseJson(source.data)
    } catch {
      // Broken JSON is read as it is written.
      this.add({ text: source.data, where: 'structured-data' })
      return
    }
    const open = [{ name: '', value }]
    for (let one = open.pop(); one; one = open.pop()) {
      if (typeof one.value === 'string') this.add({ text: one.value, where: 'structured-data', name: one.name })
      else if (typeof one.value === 'object' && one.value !== null)
        for (const [name, inner] of Object.entries(one.value))
          open.push({ name: Array.isArray(one.value) ? one.name : name, value: inner })
    }
  }
}

function hides(style: string): boolean {
  const declarations = `${style.slice(0, MAX_ATTRIBUTE).replace(/\s/g, '').toLowerCase()};`
  return HIDING.some((one) => declarations.includes(one))
}

const isHiding = ({ name, attribs }: Element): boolean =>
  attribs['hidden'] !== undefined || name === 'template' || (attribs['style'] !== undefined && hides(attribs['style']))

function readComments(source: string, reader: TextReader): void {
  for (let at = source.indexOf('<!--'); at >= 0; at = source.indexOf('<!--', at)) {
    const end = source.indexOf('-->', at + 4)
    if (end < 0) return
    reader.add({ text: source.slice(at + 4, end).trim(), where: 'comment' })
    at = end + 3
  }
}

/** Reads Markdown, or plain text, block by block: lines of a paragraph are one text. */
function readMarkdown(markdown: string, reader: TextReader): void {
  let isCode = false
  let isIntroduced = false
  let open = { lines: [] as string[], isQuoted: false }
  const end = (isQuoted: boolean): void => {
    const text = open.lines.join('\n')
    if (text !== '') {
      reader.add({ text, where: 'text', isQuoted: open.isQuoted, isIntroduced })
      if (!/^[-*+\d]/.test(text)) isIntroduced = /[:：]$/.test(text.slice(-1))
    }
    open = { lines: [], isQuoted }
  }
  for (const line of markdown.split('\n')) {
    const text = line.trim()
    const isFence = text.startsWith('```') || text.startsWith('~~~')
    if (isFence) isCode = !isCode
    const isQuoted = isCode || text.startsWith('>') || text.startsWith('|') || line.startsWith('    ')
    if (isFence || text === '' || isQuoted !== open.isQuoted || /^[-*+#]/.test(text)) end(isQuoted)
    if (!isFence && text !== '') open.lines.push(text)
  }
  end(false)
}
