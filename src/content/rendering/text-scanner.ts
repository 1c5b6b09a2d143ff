import { endTagOf, kindOf, readCountedName } from './element-kinds.js'
import {
  MAX_DECLARATION,
  MAX_TAG,
  isBoilerplateElement,
  isEmptyElement,
  isShadowRoot,
  isXhtml,
  isLoadingElement,
  fillableName,
  isMountPoint,
  isShown,
  endOfName,
  endOfTag,
} from './html-tags.js'
import type { EmptyRange, PageText } from './page-text.js'
import { isScript } from './running-code.js'
import { collapse } from '../html/tree.js'

const BEYOND_ASCII = /[^\0-\x7f]/
/** Maximum bytes in UTF-8 for each character that JavaScript counts. */
const MAX_UNIT_BYTES = 3
/** Maximum number of tags, comments and texts to read. A page filled by scripts has fewer before its first text. */
const MAX_PIECES = 25_000
/** Pieces of one part of a scan, which takes about 1 ms in a new process. */
const PART_PIECES = 500
/** Maximum number of characters to measure of one text between two tags, and of all of them together. */
const MAX_TEXT = 100_000
const MAX_TEXTS = 500_000
const MAX_DEPTH = 200
/** Number of images, fields and similar elements from which on none is inspected. */
const MAX_INSPECTED = 10
const MAX_EMPTY = 20
/** Maximum length of the recorded `noscript` content, enough to distinguish a note from a whole page. Characters. */
const MAX_NOSCRIPT = 20_000
/** Maximum length that is recorded of one `noscript`. Characters. */
const MAX_NOTE = 2_000
/** Length of the start of the page's own text that is recorded, because it may ask for JavaScript. Characters. */
const MAX_START = 400
/** Maximum length of a placeholder such as "Loading…"; an element with no more text counts as empty. Characters. */
export const PLACEHOLDER_LENGTH = 40
/**
 * Maximum length of a placeholder in `main`. Shorter, because a `main` with one word of content is not empty.
 * Characters.
 */
const MAIN_PLACEHOLDER_LENGTH = 12

interface OpenElement {
  readonly name: string
  /** The offset of its start tag. */
  readonly from: number
  /** The offset after its start tag. */
  readonly to: number
  readonly isBoilerplate: boolean
  readonly textBefore: number
  readonly mediaBefore: number
  readonly linksBefore: number
}

/** Scans HTML source in one pass, in time linear in its size. */
export class TextScanner {
  readonly #html: string
  readonly #enough: number
  readonly #bytes: Buffer | undefined
  readonly #isXhtml: boolean
  readonly #found = {
    own: 0,
    boilerplate: 0,
    media: 0,
    scripts: 0,
    scriptBytes: 0,
    loadingElements: 0,
    noscript: '',
    noscriptLength: 0,
    start: '',
  }
  readonly #empty: EmptyRange[] = []
  readonly #open: OpenElement[] = []
  /** Number of open elements by name, so that an end tag without a start tag costs no search. */
  readonly #openTags = new Map<string, number>()
  #openBoilerplate = 0
  #links = 0
  #at = 0
  #pieces = 0
  #measured = 0

  /**
   * @param enough length of own text after which the scan ends. Characters
   * @param bytes the source in UTF-8, when each character of `html` is one of its bytes (Latin-1): the parts of it that are
   *   not ASCII are decoded before they are measured. The start of the text and `noscript` are not to be read then.
   */
  constructor(html: string, enough: number, bytes?: Buffer) {
    this.#html = html
    this.#enough = enough
    this.#bytes = bytes
    this.#isXhtml = isXhtml(this.#source(0, html.length, MAX_DECLARATION))
  }

  /** True when the scan has found enough text before the end of the source, so that more source would not change it. */
  get hasEnough(): boolean {
    return this.#found.own >= this.#enough && this.#at < this.#html.length
  }

  /** True when the scan has ended because the page has more markup or text than is read. */
  get isCut(): boolean {
    return this.#pieces > MAX_PIECES || this.#measured > MAX_TEXTS
  }

  scan(): PageText {
    while (!this.scanPart());
    return this.finish()
  }

  /**
   * Scans the next {@link PART_PIECES} pieces.
   *
   * @returns true when the scan is at its end
   */
  scanPart(): boolean {
    const end = this.#pieces + PART_PIECES
    while (this.#at < this.#html.length && this.#found.own < this.#enough) {
      if (this.#pieces === end) return false
      this.#pieces += 1
      if (this.isCut) break
      const from = this.#html.indexOf('<', this.#at)
      if (from !== this.#at) this.#addText(this.#at, from < 0 ? this.#html.length : from)
      const next = from < 0 ? undefined : this.#readMarkup(from)
      this.#at = next ?? this.#html.length
    }
    return true
  }

  /** Closes the open elements and returns the counts. To be called once. */
  finish(): PageText {
    for (const { name } of this.#open.toReversed()) this.#close(name, this.#html.length)
    const found = this.#found
    return {
      ownLength: found.own,
      boilerplateLength: found.boilerplate,
      media: found.media,
      scripts: found.scripts,
      scriptBytes: found.scriptBytes,
      loadingElements: found.loadingElements,
      noscript: found.noscript,
      noscriptLength: found.noscriptLength,
      ownStart: found.start,
      emptyElements: this.#empty.map(({ name }) => name),
      emptyRanges: this.#empty,
    }
  }

  /** Reads the comment, tag or stray `<` at an offset. Returns the offset after it; undefined if it is not closed. */
  #readMarkup(from: number): number | undefined {
    const html = this.#html
    const nameEnd = endOfName(html, from)
    if (nameEnd !== undefined) return this.#readTag(from, nameEnd)
    if (html.startsWith('<!--', from)) return endAfter(html, '-->', from + 4)
    const isMarkup = /^<[!?/]/.test(html.slice(from, from + 2))
    return isMarkup ? endAfter(html, '>', from) : from + 1
  }

  /** Reads a tag. Returns the offset after it, or after the whole element if its content is not read as markup. */
  #readTag(from: number, nameEnd: number): number {
    const html = this.#html
    const to = endOfTag(html, from)
    const isEnd = html.startsWith('/', from + 1)
    const name = readCountedName(html, from + (isEnd ? 2 : 1), nameEnd)
    if (name === undefined) return to
    if (isEnd) {
      this.#close(name, from)
      return to
    }
    const kind = kindOf(name)
    const source = kind === 'raw' ? this.#source(from, to, Infinity) : ''
    if (kind === 'raw' && !isShadowRoot(name, source)) {
      return this.#readRawElement(name, from, to, isEmptyElement(name, source, this.#isXhtml))
    }
    if (kind === 'media') this.#addMedia(from, to)
    else if (name === 'a') this.#links += 1
    else if (kind === 'container' && this.#open.length < MAX_DEPTH) this.#enter(name, from, to)
    return to
  }

  #readRawElement(name: string, from: number, to: number, isEmpty: boolean): number {
    if (isEmpty) {
      if (name === 'script') this.#addScript(this.#tagSource(from, to), 0)
      return to
    }
    const closing = endTagOf(name)
    closing.lastIndex = to
    const end = closing.test(this.#html) ? closing.lastIndex - name.length - 3 : this.#html.length
    if (name === 'script') this.#addScript(this.#tagSource(from, to), end - to)
    if (name === 'noscript') {
      this.#addNoscript(this.#html.slice(to, end))
      // The markup inside it was searched for text, which counts towards the limit.
      this.#pieces += 2
    }
    if (name === 'iframe' || name === 'object') this.#found.media += 1
    return end >= this.#html.length ? end : endOfTag(this.#html, end)
  }

  #addText(from: number, to: number): void {
    const end = Math.min(to, from + MAX_TEXT)
    this.#measured += end - from
    const found = this.#found
    const isBoilerplate = this.#openBoilerplate > 0
    const isStart = this.#bytes === undefined && !isBoilerplate && found.start.length < MAX_START
    const counted = countVisible(this.#html, from, end)
    const visible = counted === undefined || (isStart && counted > 0) ? this.#readVisible(from, end) : ''
    // Written out: V8 looks up a computed name anew for each text.
    if (isBoilerplate) found.boilerplate += counted ?? visible.length
    else found.own += counted ?? visible.length
    if (isStart) found.start += `${visible.slice(0, MAX_START)} `
  }

  #readVisible(from: number, to: number): string {
    if (this.#bytes === undefined) return readVisible(this.#html, from, to)
    const text = this.#bytes.toString('utf8', from, to)
    return readVisible(text, 0, text.length)
  }

  /** Returns the source between two offsets, decoded and cut to a number of characters. */
  #source(from: number, to: number, length: number): string {
    const part = this.#html.slice(from, Math.min(to, from + length))
    if (this.#bytes === undefined || !BEYOND_ASCII.test(part)) return part
    return this.#bytes.toString('utf8', from, Math.min(to, from + MAX_UNIT_BYTES * length)).slice(0, length)
  }

  #tagSource(from: number, to: number): string {
    return this.#source(from, to, MAX_TAG)
  }

  #addScript(source: string, length: number): void {
    this.#found.scriptBytes += length
    if (isScript(source)) this.#found.scripts += 1
  }

  /** Counts an element unless nothing of it is to see. Where there are many, something is. */
  #addMedia(from: number, to: number): void {
    if (this.#found.media >= MAX_INSPECTED || isShown(this.#tagSource(from, to))) this.#found.media += 1
  }

  #addNoscript(inner: string): void {
    if (this.#found.noscript.length < MAX_NOSCRIPT) this.#found.noscript += inner.slice(0, MAX_NOTE)
    const start = inner.slice(0, MAX_NOSCRIPT)
    // An unclosed `style` extends to the end, so that nothing is searched twice.
    const visible = start.replace(/<style[^]*?(?:<\/style>|$)|<[^<>]{0,2000}>/gi, ' ').replace(/\s+/g, ' ')
    this.#found.noscriptLength += visible.trim().length
  }

  #enter(name: string, from: number, to: number): void {
    const found = this.#found
    const source = this.#tagSource(from, to)
    if (isLoadingElement(source)) found.loadingElements += 1
    const isBoilerplate = isBoilerplateElement(name, source)
    this.#openTags.set(name, (this.#openTags.get(name) ?? 0) + 1)
    this.#open.push({
      name,
      from,
      to,
      isBoilerplate,
      textBefore: found.own + found.boilerplate,
      mediaBefore: found.media,
      linksBefore: this.#links,
    })
    if (isBoilerplate) this.#openBoilerplate += 1
  }

  /** Closes the innermost open element of a name, and all elements inside it. */
  #close(name: string, to: number): void {
    if ((this.#openTags.get(name) ?? 0) === 0) return
    let at = this.#open.length - 1
    while (at > 0 && this.#open[at]?.name !== name) at -= 1
    for (let inner = at; inner < this.#open.length; inner += 1) {
      const element = this.#open[inner]
      if (element) this.#leave(element, to)
    }
    this.#open.length = at
  }

  #leave(element: OpenElement, to: number): void {
    const { name: tag, isBoilerplate, linksBefore } = element
    this.#openTags.set(tag, (this.#openTags.get(tag) ?? 0) - 1)
    if (isBoilerplate) this.#openBoilerplate -= 1
    // The name is read last, because few elements are as empty.
    if (this.#empty.length === MAX_EMPTY || !this.#isEmpty(element, PLACEHOLDER_LENGTH)) return
    const name = fillableName(tag, this.#tagSource(element.from, element.to))
    if (name === undefined || (name === 'main' && !this.#isEmpty(element, MAIN_PLACEHOLDER_LENGTH))) return
    // A short list of links is no placeholder, but a mount point may have the logo of the site in it.
    if (this.#links > linksBefore && name.startsWith('#') && !isMountPoint(name)) return
    this.#empty.push({ name, from: element.to, to })
  }

  #isEmpty({ textBefore, mediaBefore }: OpenElement, maxText: number): boolean {
    const { own, boilerplate, media } = this.#found
    return own + boilerplate - textBefore <= maxText && media === mediaBefore
  }
}

/** Searches for a text from an offset. Returns the offset after it; undefined if it does not occur. */
function endAfter(html: string, text: string, from: number): number | undefined {
  const at = html.indexOf(text, from)
  return at < 0 ? undefined : at + text.length
}

/** Returns the text between two offsets as it is shown: white space is collapsed. */
export function readVisible(html: string, from: number, to: number): string {
  const text = html.slice(from, to)
  return collapse(text.includes('&') ? text.replace(/&(?:nbsp|#160|zwnj|#8203);/g, ' ') : text)
}

const [TAB, CARRIAGE_RETURN, SPACE, AMPERSAND, LAST_ASCII] = [9, 13, 32, 38, 127]

/**
 * Returns the length of {@link readVisible} without making strings; undefined for a text with references or with
 * characters beyond ASCII, some of which are white space.
 */
export function countVisible(html: string, from: number, to: number): number | undefined {
  let length = 0
  let isApart = false
  for (let at = from; at < to; at += 1) {
    const code = html.charCodeAt(at)
    if (code === AMPERSAND || code > LAST_ASCII) return undefined
    if (code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN)) isApart = length > 0
    else {
      length += isApart ? 2 : 1
      isApart = false
    }
  }
  return length
}
