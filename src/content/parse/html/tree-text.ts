import { type ParentNode, isElement, isText, walk } from '../../html/tree.js'
import { codeAt } from '../../../base/collections/code-at.js'
import { BREAKS, tagName } from './strip-tags.js'

/** Elements whose text is written to HTML without escapes, so that `stripTags` could read tags in it. */
const RAW_TEXT = new Set('script style xmp iframe noembed noframes plaintext noscript'.split(' '))

/**
 * Returns the readable text of a tree: the same as `stripTags` of its HTML, without writing and reading that HTML, which
 * takes three to five times as long.
 *
 * @returns undefined for a tree with elements whose HTML `stripTags` would not read as elements
 */
export function treeToText(root: ParentNode): string | undefined {
  const writer = new TextWriter()
  walk(
    root,
    (node) => {
      if (isText(node)) writer.addText(node.data)
      else if (isElement(node)) writer.open(node.name)
      else writer.isReadable = false
      return writer.isReadable ? true : 'stop'
    },
    (element) => writer.close(element.name),
  )
  return writer.finish()
}

/**
 * Writes the readable text of elements and texts that come in document order: trimmed lines with an empty line between
 * them, each with single spaces.
 *
 * Characters go straight to their places. To join the texts of a page, split them into lines and tidy these took four
 * times as long.
 */
export class TextWriter {
  readonly #kinds = new Map<string, TagKind>()
  #units = new Uint16Array(FIRST_UNITS)
  #length = 0
  /** Length of the text before this line. */
  #before = 0
  /** True if white space has come since the last character of this line. */
  #isSpaced = false
  /** True from the start of an element with raw text until anything else. */
  #isRaw = false
  /** False after an element whose HTML `stripTags` would not read as an element. */
  isReadable = true

  /** Ends the text, and releases its memory. @returns undefined if it is not readable */
  finish(): string | undefined {
    this.#endLine()
    const text = this.isReadable ? Buffer.from(this.#units.buffer, 0, this.#length * 2).toString('utf16le') : undefined
    this.#units = new Uint16Array(0)
    this.#length = this.#before = 0
    return text
  }

  open(name: string): void {
    const kind = this.#kindOf(name)
    if (kind === 'break') this.#endLine()
    if (this.#isRaw || kind === 'unreadable') this.isReadable = false
    this.#isRaw = kind === 'raw'
  }

  close(name: string): void {
    if (this.#kindOf(name) === 'break') this.#endLine()
    this.#isRaw = false
  }

  addText(data: string): void {
    if (this.#isRaw) this.isReadable = false
    this.#makeRoomFor(data.length)
    const units = this.#units
    let length = this.#length
    let isSpaced = this.#isSpaced
    for (let at = 0; at < data.length; at++) {
      const code = codeAt(data, at)
      if (code === SPACE || (code <= LAST_CONTROL && code >= FIRST_CONTROL)) {
        isSpaced = true
        continue
      }
      if (length === this.#before) {
        if (isTrimmed(code)) continue
        if (length > 0) {
          units[length] = units[length + 1] = LINE_FEED
          length += 2
        }
      } else if (isSpaced) units[length++] = SPACE
      isSpaced = false
      units[length++] = code
    }
    this.#length = length
    this.#isSpaced = isSpaced
  }

  /** Makes room for a text, a space before it and two line breaks. */
  #makeRoomFor(added: number): void {
    const needed = this.#length + added + 3
    if (needed <= this.#units.length) return
    const units = new Uint16Array(Math.max(needed, Math.ceil(GROWTH * this.#units.length)))
    units.set(this.#units.subarray(0, this.#length))
    this.#units = units
  }

  #endLine(): void {
    while (this.#length > this.#before && isTrimmed(this.#units[this.#length - 1] ?? 0)) this.#length -= 1
    this.#before = this.#length
    this.#isSpaced = false
  }

  #kindOf(name: string): TagKind {
    const known = this.#kinds.get(name)
    if (known !== undefined) return known
    const kind = classifyTag(name)
    this.#kinds.set(name, kind)
    return kind
  }
}

type TagKind = 'break' | 'inline' | 'raw' | 'unreadable'

function classifyTag(name: string): TagKind {
  const start = tagName(`<${name}`, 0)
  if (start === '') return 'unreadable'
  if (RAW_TEXT.has(start)) return 'raw'
  return BREAKS.has(start) ? 'break' : 'inline'
}

/** UTF-16 units of the text that there is room for at first. */
const FIRST_UNITS = 16_384
/** Factor by which the room grows, at least, so that each character is copied few times. */
const GROWTH = 1.5

const SPACE = 32
const LINE_FEED = 10
/** The control characters that are white space: tab to carriage return. */
const FIRST_CONTROL = 9
const LAST_CONTROL = 13
const LAST_ASCII = 127

/** True for white space that `trim` removes. */
const isTrimmed = (code: number): boolean =>
  code <= LAST_ASCII
    ? code === SPACE || (code >= FIRST_CONTROL && code <= LAST_CONTROL)
    : String.fromCharCode(code).trim() === ''
