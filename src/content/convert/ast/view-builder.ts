import { hasContent } from './tidy-view.js'
import { escapeLine, mayBeMarkup } from '../escape/escape-line.js'
import type { LineItem, LinePlace } from '../escape/line-item.js'
import { isSameImage } from './same-image.js'
import { collapseSpaces, isLetterOrDigit, isPlain, isSpace, SPACE } from './spaces.js'
import { withoutTracking } from '../../../base/tracking.js'
import { ALL_PARTS, type WrittenParts } from '../written-parts.js'
import { type MarkKind, type ViewDetails, type ViewKind, ViewNode } from '../markdown-view.js'

/** Maximum siblings that are searched for the first one that produces output. */
const MAX_UNWRITTEN = 8

// Each level of lists and quotes indents everything inside it. Without a bound, the text of a hostile page would grow
// quadratically.
const MAX_INDENTS = 20

// Letters of scripts with spaces between words. In other scripts, an inline image may stand for a character, so that
// no space is added.
const BEGINS_WORD = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u
const ENDS_WORD = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]$/u

/** The lines that a mark applies to: a link marks one line only, however many blocks it contains. */
type MarkedLines = 'every line' | 'first line' | 'first line of a heading'

interface Mark {
  readonly kind: MarkKind
  readonly details: ViewDetails
  readonly lines: MarkedLines
  /** True after the first line that has the mark. */
  isUsed: boolean
  /** The node of the mark in the open line. */
  node: ViewNode | undefined
}

/** A block while it is filled. */
interface OpenBlock {
  readonly node: ViewNode
  readonly outer: ViewNode
  readonly isIndented: boolean
}

interface Line {
  readonly paragraph: ViewNode
  readonly items: LineItem[]
  tail: ViewNode
  endsWithSpace: boolean
  breaks: number
  /** True for a line with a text in which something may have to be escaped. */
  hasMarkup: boolean
}

/**
 * Builds a view of blocks and of lines of marked-up text. A line opens with its first text, and ends at the next block.
 */
export class ViewBuilder {
  readonly root = new ViewNode('root')
  /** Form of links and images. Of a link without its URL, what stands around the mark is beside the text. */
  parts: WrittenParts = ALL_PARTS
  #container = this.root
  #line: Line | undefined
  #marks: Mark[] = []
  #indents = 0
  /** Set while the text of a heading is read. */
  inHeading = false
  /** True if the heading that is read has text beside its links' icons. */
  hasHeadingText = false
  /** Set while a table cell is read, which contains no blocks. */
  inCell = false
  inLink = false
  /** True if a formula has been added, whose delimiters are `$`. */
  hasFormula = false
  /** Set while text is read whose line breaks are shown. */
  keepsLines = false
  /** Set while the caption of an image is read. */
  inCaption = false

  /** Ends the open line, if there is one. */
  endLine(): void {
    const line = this.#line
    if (line === undefined) return
    for (let at = this.#marks.length - 1; at >= 0; at--) {
      const mark = this.#marks[at]
      if (mark?.node === undefined) continue
      if (mark.kind !== 'link' || this.parts.links !== 'text')
        line.items.push({ type: 'close', node: mark.node, inLink: false })
      mark.node = undefined
    }
    escapeLine(line.items, this.#placeOf(line.paragraph), line.hasMarkup)
    this.#line = undefined
  }

  #placeOf(paragraph: ViewNode): LinePlace {
    const { childNodes, kind } = this.#container
    if (this.inHeading || this.inCell) return childNodes[0] === paragraph ? 'flat' : 'rest'
    if (kind !== 'item') return 'paragraph'
    if (childNodes[0] === paragraph) return 'item'
    // A rule before it and empty blocks are not written.
    for (let at = 0; at < MAX_UNWRITTEN; at += 1) {
      const node = childNodes[at]
      if (node === paragraph) return 'item'
      if (node === undefined || (node.kind !== 'rule' && hasContent(node))) break
    }
    return 'paragraph'
  }

  /** Appends a block. What is added until {@link closeBlock} is its contents. */
  openBlock(kind: ViewKind, details: ViewDetails = {}): OpenBlock {
    this.endLine()
    const outer = this.#container
    const isIndented = kind === 'item' || kind === 'quote'
    if (isIndented && this.#indents >= MAX_INDENTS) return { node: outer, outer, isIndented: false }
    const node = new ViewNode(kind, '', details)
    outer.append(node)
    this.#container = node
    if (isIndented) this.#indents += 1
    return { node, outer, isIndented }
  }

  closeBlock({ outer, isIndented }: OpenBlock): void {
    this.endLine()
    if (isIndented) this.#indents -= 1
    this.#container = outer
  }

  /** Appends a complete block. */
  leaf(kind: ViewKind, value: string, details?: ViewDetails): void {
    this.endLine()
    this.#container.append(new ViewNode(kind, value, details))
  }

  /**
   * Marks what is added until {@link closeMark}. Blocks inside end the line; the next line is marked again if the mark
   * applies to it.
   *
   * @returns undefined if a mark of this kind is open already
   */
  openMark(kind: MarkKind, details: ViewDetails = {}, lines: MarkedLines = 'every line'): Mark | undefined {
    // Marks do not nest in themselves: `**` inside of `**` would end it.
    for (const mark of this.#marks) if (mark.kind === kind) return undefined
    const mark: Mark = {
      kind,
      details: this.parts.cleanUrls ? withCleanUrl(details) : details,
      lines,
      isUsed: false,
      node: undefined,
    }
    this.#marks.push(mark)
    return mark
  }

  closeMark(mark: Mark | undefined): void {
    if (mark === undefined) return
    this.#marks.pop()
    if (mark.node === undefined || this.#line === undefined) return
    if (mark.kind !== 'link' || this.parts.links !== 'text')
      this.#line.items.push({ type: 'close', node: mark.node, inLink: false })
    this.#line.tail = mark.node.parentNode ?? this.#line.paragraph
  }

  text(data: string): void {
    const follows = this.#line !== undefined && this.#line.breaks === 0
    const isApart = follows && this.#line?.endsWithSpace === false
    let start = 0
    while (isSpace(data.charCodeAt(start))) start += 1
    let end = data.length
    if (start === end) {
      if (isApart && end > 0) this.#addText(' ', false)
      return
    }
    while (isSpace(data.charCodeAt(end - 1))) end -= 1
    const inside = start > 0 || end < data.length ? data.slice(start, end) : data
    // White space at the start of a line is dropped, and at the start of a mark it stands before the mark.
    const isTidy = isPlain(inside)
    const space = isTidy && isApart && start > 0 ? ' ' : ''
    const text = isTidy ? (end < data.length ? `${inside} ` : inside) : collapseSpaces(data, isApart)
    const rest = isLetterOrDigit(text.charCodeAt(0)) ? text : text.trimStart()
    const before = text === rest ? space : space + text.slice(0, text.length - rest.length)
    if (follows && before !== '') this.#addText(before, false)
    if (rest !== '') this.#addText(rest, true)
    if (this.#line !== undefined) this.#line.hasMarkup ||= mayBeMarkup(isTidy ? inside : text)
  }

  #addText(text: string, isMarked: boolean): void {
    // An image in a line is no part of a word.
    if (isMarked && this.#endsInImage() && BEGINS_WORD.test(text)) this.#addText(' ', false)
    const line = this.#openLine(isMarked)
    line.endsWithSpace = text.charCodeAt(text.length - 1) === SPACE
    const last = line.items[line.items.length - 1]
    // Adjacent texts are joined, because escaping depends on the characters beside each sign.
    if (last?.type === 'text' && last.node.parentNode === line.tail) {
      last.node.nodeValue += text
      return
    }
    const node = new ViewNode('text', text)
    node.inLink = this.inLink && this.parts.links !== 'text'
    line.tail.append(node)
    line.items.push(node)
  }

  /** Appends inline content that is not text: code, an image, or complete Markdown. */
  inline(kind: ViewKind, value: string, details?: ViewDetails): void {
    if (kind === 'image') {
      if (this.#isRepeatedImage(new ViewNode(kind, value, details))) return
      const before = this.#line?.items.at(-1)
      if (before?.type === 'text' && ENDS_WORD.test(before.node.nodeValue)) this.#addText(' ', false)
      const { images } = this.parts
      if (images === 'none' || (images === 'alt' && value === '')) return
    }
    const line = this.#openLine()
    const last = line.items.at(-1)
    // Adjacent code spans, `a` directly before `b`, would not be parsed. Parts of one element are joined, and others
    // are separated by a space.
    if (kind === 'code' && last?.type === 'opaque' && last.node.kind === 'code' && last.node.parentNode === line.tail) {
      if (last.node.details.source === details?.source) return void (last.node.nodeValue += value)
      this.#addText(' ', false)
    }
    const node = new ViewNode(kind, value, details && this.parts.cleanUrls ? withCleanUrl(details) : details)
    line.tail.append(node)
    line.items.push(node)
    line.endsWithSpace = false
  }

  /** True if the line ends in an image, or in a mark that does. */
  #endsInImage(): boolean {
    if (this.#line === undefined || this.#line.breaks > 0) return false
    const { items } = this.#line
    let at = items.length - 1
    while (at >= 0 && items[at]?.type === 'close') at -= 1
    const last = items[at]
    return last?.type === 'opaque' && last.node.kind === 'image'
  }

  /** True if the line ends in the same image: pages have small copies of an image, or copies in `noscript`. */
  #isRepeatedImage(image: ViewNode): boolean {
    if (this.#line === undefined || this.#line.breaks > 0) return false
    const { items } = this.#line
    let link: string | undefined
    for (let at = items.length - 1; at >= 0; at -= 1) {
      const item = items[at]
      if (item === undefined) return false
      const { type, node } = item
      if (type === 'close' && node.kind === 'link') link = node.details.href
      else if (type === 'break' || (type === 'text' && node.nodeValue.trim() !== '')) return false
      else if (type === 'opaque') {
        const own = this.#marks.find((mark) => mark.kind === 'link')
        // The same link if it is still open, or another to the same URL.
        const isSameLink = own?.node === undefined ? link === own?.details.href : link === undefined
        return node.kind === 'image' && isSameLink && isSameImage(node, image)
      }
    }
    return false
  }

  /** Adds a line break. Two start a new paragraph, and one at the end of a block has no effect. A link has one line. */
  lineBreak(): void {
    if (this.inLink) this.text(' ')
    else if (this.#line !== undefined) this.#line.breaks += 1
  }

  #openLine(isMarked = true): Line {
    const isFlat = this.inHeading || this.inCell
    if (this.#line !== undefined && this.#line.breaks > 1 && !isFlat) this.endLine()
    if (this.#line === undefined) {
      const paragraph = this.inCaption ? new ViewNode('paragraph', '', { isCaption: true }) : new ViewNode('paragraph')
      this.#container.append(paragraph)
      this.#line = { paragraph, items: [], tail: paragraph, endsWithSpace: false, breaks: 0, hasMarkup: false }
    }
    const line = this.#line
    if (line.breaks > 0) {
      const node = new ViewNode('break')
      line.tail.append(node)
      line.items.push(node)
      line.breaks = 0
    }
    if (isMarked) this.#openMarks(line)
    return line
  }

  #openMarks(line: Line): void {
    if (this.#marks.length === 0) return
    // Adjacent links get a space, because pages separate them by style alone.
    const last = line.items[line.items.length - 1]
    const isAfterLink =
      this.parts.links === 'text'
        ? line.tail.childNodes.at(-1)?.kind === 'link'
        : last?.type === 'close' && last.node.kind === 'link'
    if (isAfterLink && this.#marks.some(({ kind, node }) => kind === 'link' && node === undefined))
      this.#addText(' ', false)
    for (const mark of this.#marks) {
      if (mark.node !== undefined || !this.#applies(mark)) continue
      mark.isUsed = true
      const before = line.tail.childNodes.at(-1)
      // `<b>one</b><b>two</b>` is one mark: `**one****two**` would not be parsed.
      const joins =
        before !== undefined && before.kind === mark.kind && mark.kind !== 'link' && before.details.source === undefined
      mark.node = joins ? before : new ViewNode(mark.kind, '', mark.details)
      if (joins)
        line.items.splice(
          line.items.findLastIndex((item) => item.type === 'close' && item.node === before),
          1,
        )
      else {
        line.tail.append(mark.node)
        if (mark.kind !== 'link' || this.parts.links !== 'text')
          line.items.push({ type: 'open', node: mark.node, inLink: false })
      }
      line.tail = mark.node
    }
  }

  #applies({ lines, isUsed }: Mark): boolean {
    if (lines === 'every line') return true
    return !isUsed && (lines === 'first line' || this.inHeading)
  }
}

const withCleanUrl = ({ href, ...details }: ViewDetails): ViewDetails =>
  href === undefined ? details : { ...details, href: withoutTracking(href) }
