import { type QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { prefixOf } from './namespaces.js'

/** What is told of XML while it is read. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string): void
  text(data: string): void
}

/** Elements open at once; what is deeper is left out, and its text belongs to what is around it. */
const DEEPEST = 400

/** A hostile tag may have a million. */
const ATTRIBUTES_PER_ELEMENT = 200

/** The text of a part. @see XML 1.0, appendix F */
export function decodeXml(bytes: Uint8Array): string {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes)
}

/**
 * Reads XML from its start to its end. It cannot be made to grow: no entity is known but the five and those of numbers, a document
 * type is passed over, and nothing is loaded. An end tag that ends nothing is passed over, one that is missing is added.
 *
 * @returns whether it is cut off: its first element does not end
 */
export function scanXml(source: string, listener: XmlListener): boolean {
  const scanner = new Scanner(source, listener)
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, scanner)
  tokenizer.write(source)
  tokenizer.end()
  return scanner.finish()
}

interface Scope {
  readonly depth: number
  readonly prefixes: ReadonlyMap<string, string>
}

/** Makes elements of what the tokenizer finds. */
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
  /** Names as they are written, and as they are called here; as long as the scope is the same. */
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

  /** Ends what was left open. @returns whether there was anything */
  finish(): boolean {
    const isLeftOpen = this.#open.length > 0
    while (this.#open.length > 0) this.#pop()
    return isLeftOpen
  }

  #startTag(): void {
    if (this.#open.length >= DEEPEST) {
      this.#tooDeep += 1
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

  /** The prefixes that the element declares, for it and what is inside of it. */
  #readScope(): void {
    const declared = this.#attributes.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
    if (declared.length === 0) return
    const prefixes = new Map(this.#scopes.at(-1)?.prefixes)
    for (const [name, uri] of declared) {
      const prefix = name.slice(6)
      prefixes.set(prefix, prefixOf(uri.trim()) ?? prefix)
    }
    this.#scopes.push({ depth: this.#open.length, prefixes })
    this.#known = new Map()
  }

  #callName(written: string, isAttribute: boolean): string {
    const colon = written.indexOf(':')
    // An attribute without a prefix is in no namespace.
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
