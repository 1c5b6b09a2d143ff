import { type ParentNode, isElement, isText, walk } from '../../html/tree.js'
import { BREAKS, separateLines, tagName } from './strip-tags.js'

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
  return writer.text
}

/** Writes the readable text of elements and texts that come in document order. */
export class TextWriter {
  readonly #kinds = new Map<string, TagKind>()
  #text = ''
  /** True from the start of an element with raw text until anything else. */
  #isRaw = false
  /** False after an element whose HTML `stripTags` would not read as an element. */
  isReadable = true

  /** The text so far; undefined if it is not readable. */
  get text(): string | undefined {
    return this.isReadable ? separateLines(this.#text) : undefined
  }

  open(name: string): void {
    const kind = this.#kindOf(name)
    if (kind === 'break') this.#text += '\n'
    if (this.#isRaw || kind === 'unreadable') this.isReadable = false
    this.#isRaw = kind === 'raw'
  }

  close(name: string): void {
    if (this.#kindOf(name) === 'break') this.#text += '\n'
    this.#isRaw = false
  }

  addText(data: string): void {
    if (this.#isRaw) this.isReadable = false
    this.#text += toOneLine(data)
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

/** Replaces runs of ASCII white space with one space; HTML would have any other white space as an escape. */
const toOneLine = (text: string): string => (/[\t-\r]/.test(text) ? text.replace(/[\t-\r ]+/g, ' ') : text)
