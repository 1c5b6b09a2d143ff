import { type QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'

/** Receives the events of {@link scanXml}. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string): void
  text(data: string): void
  /** Called for each element that is left out because it is nested too deeply. */
  leaveOut?(): void
}

/** Maximum nesting of elements; deeper elements are left out and their text belongs to the enclosing one. */
const MAX_DEPTH = 400

/** Maximum number of attributes of an element; a hostile one may have a million. */
const ATTRIBUTES_PER_ELEMENT = 200

/** Maximum number of prefixes in a scope: each element that declares one copies those of the elements around it. */
const MAX_PREFIXES = 200

/** Decodes the text of a part. @see https://www.w3.org/TR/xml/#sec-guessing */
export function decodeXml(bytes: Uint8Array): string {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes)
}

/**
 * Scans XML in one pass. The output cannot grow beyond the input: only the five predefined and numeric entities are
 * expanded, document types are ignored, and nothing is loaded. Unmatched end tags are ignored, missing ones are added.
 *
 * @returns true if the text is truncated: its root element is not closed
 */
export function scanXml(source: string, listener: XmlListener): boolean {
  const scanner = new Scanner(source, listener)
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, scanner)
  tokenizer.write(source)
  tokenizer.end()
  return scanner.finish()
}

/** Characters of a slice: the slowest ones found take 2 ms. */
const SLICE_CHARACTERS = 8192

/** Scans XML as {@link scanXml} does, in slices, for the host's thread. Texts may be given in more parts. */
export async function scanXmlInSlices(source: string, listener: XmlListener): Promise<boolean> {
  const scanner = new Scanner(source, listener)
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, scanner)
  for (let at = 0; at < source.length; at += SLICE_CHARACTERS) {
    await yieldIfHeld()
    tokenizer.write(source.slice(at, at + SLICE_CHARACTERS))
  }
  tokenizer.end()
  return scanner.finish()
}

interface Scope {
  readonly depth: number
  readonly prefixes: ReadonlyMap<string, string>
}

/** Turns the tokenizer's callbacks into events. */
class Scanner implements TokenizerCallbacks {
  readonly #source: string
  readonly #listener: XmlListener
  #name = ''
  #attributes: [name: string, value: string][] = []
  #attributeName = ''
  #attributeValue = ''
  readonly #open: string[] = []
  #tooDeep = 0
  #scopes: Scope[] = [{ depth: -1, prefixes: new Map() }]
  /** Resolved names by written name, valid until the namespace scope changes. */
  #known = new Map<string, string>()

  constructor(source: string, listener: XmlListener) {
    this.#source = source
    this.#listener = listener
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#source.slice(start, end)
    this.#attributes = []
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = this.#source.slice(start, end)
  }

  onattribdata(start: number, end: number): void {
    this.#attributeValue += this.#source.slice(start, end)
  }

  onattribentity(codePoint: number): void {
    this.#attributeValue += String.fromCodePoint(codePoint)
  }

  onattribend(_quote: QuoteType, _end: number): void {
    if (this.#attributes.length < ATTRIBUTES_PER_ELEMENT)
      this.#attributes.push([this.#attributeName, this.#attributeValue])
    this.#attributeValue = ''
  }

  onopentagend(): void {
    this.#startTag()
  }

  onselfclosingtag(): void {
    const name = this.#name
    this.#startTag()
    this.#endTag(name)
  }

  onclosetag(start: number, end: number): void {
    this.#endTag(this.#source.slice(start, end).trim())
  }

  ontext(start: number, end: number): void {
    if (this.#open.length > 0) this.#listener.text(this.#source.slice(start, end))
  }

  ontextentity(codePoint: number): void {
    if (this.#open.length > 0) this.#listener.text(String.fromCodePoint(codePoint))
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.#open.length > 0) this.#listener.text(this.#source.slice(start, end - endOffset))
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  /** Closes open elements. @returns true if there were any */
  finish(): boolean {
    const isLeftOpen = this.#open.length > 0
    while (this.#open.length > 0) this.#pop()
    return isLeftOpen
  }

  #startTag(): void {
    if (this.#open.length >= MAX_DEPTH) {
      this.#tooDeep += 1
      this.#listener.leaveOut?.()
      return
    }
    this.#readScope()
    const attributes: Record<string, string> = Object.create(null)
    for (const [name, value] of this.#attributes)
      if (!name.startsWith('xmlns')) attributes[this.#callName(name, true)] = value
    this.#open.push(this.#name)
    this.#listener.open(this.#callName(this.#name, false), attributes)
  }

  #endTag(name: string): void {
    if (this.#tooDeep > 0) {
      this.#tooDeep -= 1
      return
    }
    const place = this.#open.lastIndexOf(name)
    const ended = place === -1 ? 0 : this.#open.length - place
    for (let left = ended; left > 0; left -= 1) this.#pop()
  }

  #pop(): void {
    const name = this.#open.pop() ?? ''
    this.#listener.close(this.#callName(name, false))
    if (this.#scopes.at(-1)?.depth === this.#open.length) {
      this.#scopes.pop()
      this.#known = new Map()
    }
  }

  /** Reads the namespace declarations of an element. */
  #readScope(): void {
    const declared = this.#attributes.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
    if (declared.length === 0) return
    const prefixes = new Map(this.#scopes.at(-1)?.prefixes)
    for (const [name, uri] of declared) {
      if (prefixes.size >= MAX_PREFIXES) break
      const prefix = name.slice(6)
      prefixes.set(prefix, prefixOf(uri.trim()) ?? prefix)
    }
    this.#scopes.push({ depth: this.#open.length, prefixes })
    this.#known = new Map()
  }

  #callName(written: string, isAttribute: boolean): string {
    const colon = written.indexOf(':')
    // Attributes without a prefix are in no namespace.
    if (colon === -1 && isAttribute) return written
    const known = this.#known.get(written)
    if (known !== undefined) return known
    const prefix = colon === -1 ? '' : written.slice(0, colon)
    const called = this.#scopes.at(-1)?.prefixes.get(prefix) ?? prefix
    const name = called === '' ? written.slice(colon + 1) : `${called}:${written.slice(colon + 1)}`
    this.#known.set(written, name)
    return name
  }
}

/** Namespaces of office files, each mapped to one prefix, whatever prefix a file uses; strict forms included. */

const OPEN_XML = /^http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml)\/(.+?)\/?$/

/** Prefixes by the rest of the URI, without `2006/`. @see ECMA-376 parts 1 and 4 */
const OPEN_XML_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['wordprocessingml/main', 'w'],
  ['spreadsheetml/main', 'x'],
  ['presentationml/main', 'p'],
  ['officeDocument/relationships', 'r'],
  ['officeDocument/math', 'm'],
  ['drawingml/main', 'a'],
  ['drawingml/wordprocessingDrawing', 'wp'],
  ['drawingml/picture', 'pic'],
  ['drawingml/diagram', 'dgm'],
  ['drawingml/chart', 'c'],
  ['markup-compatibility', 'mc'],
  ['package/relationships', 'rel'],
  ['package/content-types', 'ct'],
  ['package/metadata/core-properties', 'cp'],
])

const OPEN_DOCUMENT = /^urn:oasis:names:tc:opendocument:xmlns:([a-z-]+)(?::1\.0)?$/

/** Prefixes that differ from the last word of the namespace. @see OpenDocument 1.3 part 3, section 4 */
const OPEN_DOCUMENT_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['drawing', 'draw'],
  ['datastyle', 'number'],
  ['svg-compatible', 'svg'],
  ['xsl-fo-compatible', 'fo'],
])

const OTHERS: ReadonlyMap<string, string> = new Map([
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['http://schemas.microsoft.com/office/word/2010/wordprocessingShape', 'wps'],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.org/dc/terms/', 'dcterms'],
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ['http://www.w3.org/1998/Math/MathML', 'math'],
  ['http://www.w3.org/2001/04/xmlenc#', 'enc'],
  ['http://www.idpf.org/2007/opf', 'opf'],
  ['http://www.daisy.org/z3986/2005/ncx/', 'ncx'],
  ['http://www.w3.org/1999/xhtml', ''],
])

/** Returns the prefix that trawl uses for a namespace; undefined for unknown ones. */
function prefixOf(uri: string): string | undefined {
  const openXml = OPEN_XML.exec(uri)?.[1]
  if (openXml !== undefined) return OPEN_XML_PREFIXES.get(openXml.replace(/(^|\/)2006(?=\/|$)/, '').replace(/^\//, ''))
  const openDocument = OPEN_DOCUMENT.exec(uri)?.[1]
  if (openDocument !== undefined) return OPEN_DOCUMENT_PREFIXES.get(openDocument) ?? openDocument
  return OTHERS.get(uri)
}
