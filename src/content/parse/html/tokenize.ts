import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { RAW_TEXT, RAW_TEXT_OF_XHTML, flagsOf } from './element-rules.js'
import { NameTable } from './name-table.js'

/** Receives the tags and texts of a page in document order. */
export interface TokenSink {
  /** @param flags the lists of the element rules that the element is in */
  startTag(name: string, attributes: Record<string, string>, selfClosing: boolean, flags: number): void
  endTag(name: string): void
  /** Adds text with entities decoded; a text between two tags may come in several pieces. */
  addText(data: string): void
  /** True inside SVG and MathML, the only place where CDATA sections are text. */
  readonly inForeign: boolean
}

/** Decodes all entities of a text, such as those of accents. */
export const decodeAllEntities = (text: string): string => decodeHTML(text)

/** Maximum number of attributes of an element; a hostile one may have a million. */
const ATTRIBUTES_PER_ELEMENT = 500

const BANG = 33
const DOUBLE_QUOTE = 34
const SINGLE_QUOTE = 39
const SLASH = 47
const EQUALS = 61
const GREATER = 62
const QUESTION = 63

/**
 * Marks that decide which end tag ends a script with a comment in it.
 *
 * @see https://html.spec.whatwg.org/multipage/parsing.html#script-data-escaped-state
 */
const SCRIPT_MARKS = /<!--|-->|<\/?script(?=[ \n\t\f\r/>])/gi

const CDATA = '<![CDATA['
const CDATA_END = ']]>'

const characterTable = (characters: string): Uint8Array => {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

const SPACE = characterTable(' \n\t\f\r')
const ENDS_TAG_NAME = characterTable('/> \n\t\f\r')
const ENDS_ATTRIBUTE_NAME = characterTable('=/> \n\t\f\r')
const ENDS_UNQUOTED_VALUE = characterTable('> \n\t\f\r')

const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122

/**
 * Splits HTML into tags and texts. Comments, declarations and processing instructions are dropped, and so is a tag that
 * the page ends in.
 *
 * It takes linear time for any input: a search that fails ends the page, or is remembered.
 *
 * @param isXml true for XHTML: CDATA sections are text, `?>` ends a processing instruction, and elements may have
 * prefixes. What XML forbids is read by the rules of HTML, so that no content is lost
 * @see https://html.spec.whatwg.org/multipage/parsing.html#tokenization, https://www.w3.org/TR/xml/
 */
export function tokenize(source: string, sink: TokenSink, isXml = false): void {
  new Tokenizer(source, sink, isXml).run()
}

/** Each method that reads something takes the offset of its start, and returns the offset after it. */
class Tokenizer {
  readonly #source: string
  readonly #sink: TokenSink
  readonly #names: NameTable
  /** Flag of the elements whose content is text. */
  readonly #rawText: number
  /** Set for XHTML. */
  readonly #prefixed: PrefixedNames | undefined
  /** Offsets of the next `&`, `]]>`, `?>`, `-->` and `--!>`, of the last searches; infinite if there are none. */
  #ampersand = -1
  #sectionEnd = -1
  #instructionEnd = -1
  #commentEnd = -1
  #oddCommentEnd = -1
  /** False after a script with a comment that no end tag follows, because a second search could be as long. */
  #scriptsEnd = true
  /** Offset after which there is no end tag, by the name of the element. */
  readonly #unended = new Map<string, number>()

  constructor(source: string, sink: TokenSink, isXml: boolean) {
    this.#source = source
    this.#sink = sink
    this.#names = new NameTable(source)
    this.#rawText = isXml ? RAW_TEXT_OF_XHTML : RAW_TEXT
    this.#prefixed = isXml ? new PrefixedNames() : undefined
  }

  run(): void {
    const source = this.#source
    // Start of the text that is not added yet. A `<` that opens nothing belongs to it.
    let text = 0
    let from = 0
    for (;;) {
      const open = source.indexOf('<', from)
      if (open === -1) break
      const code = source.charCodeAt(open + 1)
      if (isLetter(code)) {
        this.#addText(text, open)
        from = this.#readStartTag(open + 1)
      } else if (code === SLASH) {
        const name = this.#skipSpace(open + 2)
        const first = source.charCodeAt(name)
        if (name === source.length) break
        this.#addText(text, open)
        from = isLetter(first) ? this.#readEndTag(name) : this.#after('>', name)
      } else if (code === BANG || code === QUESTION) {
        this.#addText(text, open)
        from = code === BANG ? this.#readDeclaration(open) : this.#endOfInstruction(open)
      } else {
        from = open + 1
        continue
      }
      text = from
    }
    this.#addText(text, source.length)
  }

  #readStartTag(start: number): number {
    const source = this.#source
    const name = this.#names.read(start, ENDS_TAG_NAME)
    const known = this.#names.flags
    const attributes: Record<string, string> = {}
    let first = ''
    let count = 0
    let selfClosing = false
    let at = this.#skipSpace(this.#names.end)
    for (let code = source.charCodeAt(at); code !== GREATER; code = source.charCodeAt(at)) {
      if (at >= source.length) return at
      if (code === SLASH) {
        at = this.#skipSpace(at + 1)
        selfClosing = source.charCodeAt(at) === GREATER
        continue
      }
      const attribute = this.#names.read(at, ENDS_ATTRIBUTE_NAME)
      at = this.#skipSpace(this.#names.end)
      let from = at
      let end = at
      if (source.charCodeAt(at) === EQUALS) {
        from = this.#skipSpace(at + 1)
        const quote = source.charCodeAt(from)
        if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
          from += 1
          end = source.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", from)
          if (end === -1) return source.length
          at = this.#skipSpace(end + 1)
        } else {
          end = this.#endOfUnquoted(from)
          at = this.#skipSpace(end)
        }
      }
      if (count >= ATTRIBUTES_PER_ELEMENT) continue
      if (count === 1 ? attribute === first : count > 1 && Object.hasOwn(attributes, attribute)) continue
      const text = source.slice(from, end)
      const value = this.#hasEntity(from, end) ? decodeHTMLAttribute(text) : text
      attributes[attribute] = value
      if (count === 0) first = attribute
      count += 1
    }
    const element = this.#prefixed === undefined ? name : this.#prefixed.readStart(name, attributes)
    const flags = element === name ? known : flagsOf(element)
    const isRaw = (flags & this.#rawText) !== 0
    const isClosed = selfClosing && !(isRaw && this.#ignoresSlash(name, at + 1))
    this.#sink.startTag(element, attributes, isClosed, flags)
    return !isClosed && isRaw ? this.#readRawText(name, at + 1) : at + 1
  }

  /**
   * Tests whether the slash at the end of a start tag means nothing, as in HTML: `<script/>` is a script up to its end tag. Only
   * without an end tag the slash counts, because the element would contain the rest of the page.
   */
  #ignoresSlash(name: string, after: number): boolean {
    if (this.#prefixed !== undefined || this.#sink.inForeign) return false
    const start = this.#unended.get(name) ?? Infinity
    if (after >= start) return false
    const endTag = new RegExp(`</${name}(?=[ \\n\\t\\f\\r/>])`, 'gi')
    endTag.lastIndex = after
    if (endTag.test(this.#source)) return true
    this.#unended.set(name, after)
    return false
  }

  #endOfUnquoted(start: number): number {
    let at = start
    while (at < this.#source.length && ENDS_UNQUOTED_VALUE[this.#source.charCodeAt(at)] !== 1) at += 1
    return at
  }

  #readEndTag(start: number): number {
    const name = this.#names.read(start, ENDS_TAG_NAME)
    const { end } = this.#names
    if (end < this.#source.length) this.#sink.endTag(this.#prefixed?.withoutPrefix(name) ?? name)
    return this.#after('>', end)
  }

  /** Reads the content and the end tag of an element such as `script`. */
  #readRawText(name: string, start: number): number {
    const source = this.#source
    let from = start
    let open = source.indexOf('</', start)
    while (open !== -1) {
      const end = open + 2 + name.length
      let next = open + 2
      if (ENDS_TAG_NAME[source.charCodeAt(end)] === 1 && source.slice(open + 2, end).toLowerCase() === name) {
        next = this.#endOfSectionAround(open, from)
        if (next === open) break
        from = next
      }
      open = source.indexOf('</', next)
    }
    const end = open === -1 ? source.length : name === 'script' ? this.#endOfScript(start, open) : open
    // The standard decodes entities in text areas as well; forms are not read.
    if (name === 'title') this.#addText(start, end)
    else if (start < end) this.#sink.addText(source.slice(start, end))
    return open === -1 ? end : this.#readEndTag(end + 2)
  }

  /**
   * Returns the offset of the end tag of a script. The end tag of a script that is written in a comment of the script
   * does not count, if another one follows.
   *
   * @param first offset of the first end tag
   */
  #endOfScript(start: number, first: number): number {
    if (!this.#scriptsEnd || !this.#source.slice(start, first).includes('<!--')) return first
    let isComment = false
    let isNested = false
    SCRIPT_MARKS.lastIndex = start
    for (let mark = SCRIPT_MARKS.exec(this.#source); mark !== null; mark = SCRIPT_MARKS.exec(this.#source)) {
      if (mark[0] === '<!--') {
        isComment = true
        // The dashes that open a comment can also end it.
        SCRIPT_MARKS.lastIndex -= 2
      } else if (mark[0] === '-->') isComment = isNested = false
      else if (mark[0].startsWith('</')) {
        if (!isNested) return mark.index
        isNested = false
      } else isNested = isComment
    }
    this.#scriptsEnd = false
    return first
  }

  #readDeclaration(open: number): number {
    const source = this.#source
    if (source.startsWith('--', open + 2)) return this.#endOfComment(open)
    if (!source.startsWith(CDATA, open)) return this.#after('>', open)
    const start = open + CDATA.length
    const close = this.#findSectionEnd(start)
    const isText = this.#sink.inForeign || (this.#prefixed !== undefined && close !== Infinity)
    if (!isText) return this.#after('>', open)
    const end = Math.min(close, source.length)
    if (start < end) this.#sink.addText(source.slice(start, end))
    return Math.min(end + CDATA_END.length, source.length)
  }

  #findSectionEnd(start: number): number {
    if (this.#sectionEnd < start) this.#sectionEnd = this.#find(CDATA_END, start)
    return this.#sectionEnd
  }

  /** Returns the offset after the CDATA section that an offset in XHTML is in; otherwise that offset. */
  #endOfSectionAround(at: number, start: number): number {
    const section = this.#prefixed === undefined ? -1 : this.#source.slice(start, at).lastIndexOf(CDATA)
    const end = section === -1 ? Infinity : this.#findSectionEnd(start + section)
    return end === Infinity || end < at ? at : end + CDATA_END.length
  }

  /** Returns the offset after a processing instruction, which `>` ends in HTML. */
  #endOfInstruction(open: number): number {
    if (this.#prefixed !== undefined && this.#instructionEnd < open) this.#instructionEnd = this.#find('?>', open)
    const end = this.#prefixed === undefined ? Infinity : this.#instructionEnd
    return end === Infinity ? this.#after('>', open) : end + '?>'.length
  }

  #endOfComment(open: number): number {
    // The dashes that open a comment can also end it.
    if (this.#commentEnd < open + 2) this.#commentEnd = this.#find('-->', open + 2)
    if (this.#oddCommentEnd < open + 4) this.#oddCommentEnd = this.#find('--!>', open + 4)
    const end =
      this.#commentEnd < this.#oddCommentEnd ? this.#commentEnd + '-->'.length : this.#oddCommentEnd + '--!>'.length
    return Math.min(end, this.#source.length)
  }

  #addText(start: number, end: number): void {
    if (start >= end) return
    const data = this.#source.slice(start, end)
    this.#sink.addText(this.#hasEntity(start, end) ? decodeHTML(data) : data)
  }

  #hasEntity(start: number, end: number): boolean {
    if (this.#ampersand < start) this.#ampersand = this.#find('&', start)
    return this.#ampersand < end
  }

  #skipSpace(start: number): number {
    let at = start
    while (SPACE[this.#source.charCodeAt(at)] === 1) at += 1
    return at
  }

  /** Returns the offset after the next `sign`; the end of the page without one. */
  #after(sign: string, start: number): number {
    const at = this.#source.indexOf(sign, start)
    return at === -1 ? this.#source.length : at + sign.length
  }

  #find(what: string, start: number): number {
    const at = this.#source.indexOf(what, start)
    return at === -1 ? Infinity : at
  }
}

/** Namespaces whose elements are known by their names without a prefix. */
const NAMESPACES: ReadonlySet<string> = new Set([
  'http://www.w3.org/1999/xhtml',
  'http://www.w3.org/2000/svg',
  'http://www.w3.org/1998/Math/MathML',
])

/**
 * Removes the prefixes of names in XHTML: `<h:p>` becomes `<p>` where `xmlns:h` is the namespace of HTML.
 *
 * A prefix counts from its first declaration to the end of the page.
 *
 * @see https://www.w3.org/TR/xml-names/
 */
class PrefixedNames {
  readonly #prefixes = new Set<string>()

  /** Reads the declarations of a start tag. @returns the name without its prefix */
  readStart(name: string, attributes: Readonly<Record<string, string>>): string {
    for (const key of Object.keys(attributes))
      if (key.startsWith('xmlns:') && NAMESPACES.has(attributes[key] ?? '')) this.#prefixes.add(key.slice(6))
    return this.withoutPrefix(name)
  }

  withoutPrefix(name: string): string {
    const colon = this.#prefixes.size === 0 ? -1 : name.indexOf(':')
    return colon !== -1 && this.#prefixes.has(name.slice(0, colon)) ? name.slice(colon + 1) : name
  }
}
