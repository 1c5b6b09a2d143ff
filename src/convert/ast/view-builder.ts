import { hasContent } from './tidy-view.js'
import { escapeLine } from '../escape/escape-line.js'
import type { LineItem, LinePlace } from '../escape/line-item.js'
import { isSamePicture } from './same-picture.js'
import { type MarkKind, type ViewDetails, type ViewKind, ViewNode } from '../markdown-view.js'

/** So far it is looked for what is not written before a line. */
const MAX_UNWRITTEN = 8

// Each level of lists and quotes indents all that is inside it: beyond this, a hostile page would make the text explode.
const DEEPEST_INDENT = 20

// Of scripts that set words apart. Others have signs that are drawn, as pictures in the line.
const BEGINS_WORD = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u
const ENDS_WORD = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]$/u

interface Mark {
  readonly kind: MarkKind
  readonly details: ViewDetails
  /** Whether a line may still get it: a link marks one line only, however many blocks it holds. */
  applies(): boolean
  /** The node in the line that is open. */
  node: ViewNode | undefined
}

interface Line {
  readonly paragraph: ViewNode
  readonly items: LineItem[]
  tail: ViewNode
  endsWithSpace: boolean
  breaks: number
}

/** Builds a view: blocks, and lines of marked-up text in them. A line opens with its first text and ends at the next block. */
export class ViewBuilder {
  readonly root = new ViewNode('root')
  private container = this.root
  private line: Line | undefined
  private marks: Mark[] = []
  private indents = 0
  /** Set while the text of a heading is read. */
  inHeading = false
  /** Set while a cell of a table is read: there are no blocks in it. */
  inCell = false
  inLink = false
  /** Set while the caption of a picture is read. */
  inCaption = false

  /** Ends the line that is open, if there is one. */
  endLine(): void {
    if (this.line === undefined) return
    for (const { node } of this.marks.toReversed())
      if (node !== undefined) this.line.items.push({ type: 'close', node })
    escapeLine(this.line.items, this.placeOf(this.line.paragraph))
    for (const mark of this.marks) mark.node = undefined
    this.line = undefined
  }

  private placeOf(paragraph: ViewNode): LinePlace {
    const { childNodes, kind } = this.container
    if (this.inHeading || this.inCell) return childNodes[0] === paragraph ? 'flat' : 'rest'
    if (kind !== 'item') return 'paragraph'
    // A rule before it, and what has no content, will not be written.
    const isWritten = (node: ViewNode): boolean => node === paragraph || (node.kind !== 'rule' && hasContent(node))
    return childNodes.slice(0, MAX_UNWRITTEN).find(isWritten) === paragraph ? 'item' : 'paragraph'
  }

  /** A block with what `fill` puts into it. */
  block(kind: ViewKind, details: ViewDetails, fill: () => void): ViewNode {
    const indents = kind === 'item' || kind === 'quote'
    if (indents && this.indents >= DEEPEST_INDENT) {
      this.endLine()
      fill()
      this.endLine()
      return this.container
    }
    this.endLine()
    const node = new ViewNode(kind, '', details)
    this.container.append(node)
    const outer = this.container
    this.container = node
    if (indents) this.indents += 1
    fill()
    this.endLine()
    if (indents) this.indents -= 1
    this.container = outer
    return node
  }

  /** A block that is ready. */
  leaf(kind: ViewKind, value: string, details: ViewDetails = {}): void {
    this.endLine()
    this.container.append(new ViewNode(kind, value, details))
  }

  /** Marks what `fill` adds. Blocks inside end the line; the next line is marked again. */
  mark(kind: MarkKind, details: ViewDetails, fill: () => void, applies: () => boolean = () => true): void {
    // Marks do not nest in themselves: `**` inside of `**` would end it.
    if (this.marks.some((mark) => mark.kind === kind)) return fill()
    const mark: Mark = { kind, details, applies, node: undefined }
    this.marks.push(mark)
    fill()
    this.marks.pop()
    if (mark.node === undefined || this.line === undefined) return
    this.line.items.push({ type: 'close', node: mark.node })
    this.line.tail = mark.node.parentNode ?? this.line.paragraph
  }

  text(data: string): void {
    // Places where a word may break are for the eye: in the text they would only keep it from being found.
    // Most white space is single spaces already: replacing each would cost a copy for each word.
    const single = /[\t\n\r\f\u2028\u2029]|  /.test(data) ? data.replace(/[ \t\n\r\f\u2028\u2029]+/g, ' ') : data
    const collapsed = single.replace(/[\u00AD\u200B\uFEFF]/g, '')
    const follows = this.line !== undefined && this.line.breaks === 0
    const isApart = follows && this.line?.endsWithSpace === false
    const text = !isApart && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed
    // White space at the start of a line is none, and at the start of a mark it stands before it.
    const rest = text.trimStart()
    if (follows && rest.length < text.length) this.addText(text.slice(0, text.length - rest.length), false)
    if (rest !== '') this.addText(rest, true)
  }

  private addText(text: string, isMarked: boolean): void {
    // A picture in a line is no part of a word.
    if (isMarked && BEGINS_WORD.test(text) && this.endsInPicture()) this.addText(' ', false)
    const line = this.openLine(isMarked)
    line.endsWithSpace = text.endsWith(' ')
    const last = line.items.at(-1)
    // One text: what it means is decided by what stands beside each sign.
    if (last?.type === 'text' && last.node.parentNode === line.tail) {
      last.node.nodeValue += text
      return
    }
    const node = new ViewNode('text', text)
    line.tail.append(node)
    line.items.push({ type: 'text', node, inLink: this.inLink })
  }

  /** Something in the line that is no text: code, an image, Markdown that is ready. */
  inline(kind: ViewKind, value: string, details: ViewDetails = {}): void {
    if (kind === 'image') {
      if (this.isShown(new ViewNode(kind, value, details))) return
      const before = this.line?.items.at(-1)
      if (before?.type === 'text' && ENDS_WORD.test(before.node.nodeValue)) this.addText(' ', false)
    }
    const line = this.openLine()
    const last = line.items.at(-1)
    // Between `a` and `b` directly beside each other no fence would be read: parts of one code join, two stand apart.
    if (kind === 'code' && last?.type === 'opaque' && last.node.kind === 'code' && last.node.parentNode === line.tail) {
      if (last.node.details.source === details.source) return void (last.node.nodeValue += value)
      this.addText(' ', false)
    }
    const node = new ViewNode(kind, value, details)
    line.tail.append(node)
    line.items.push({ type: 'opaque', node })
    line.endsWithSpace = false
  }

  /** Whether the line ends in a picture, or in a mark that does. */
  private endsInPicture(): boolean {
    if (this.line === undefined || this.line.breaks > 0) return false
    const last = this.line.items.findLast(({ type }) => type !== 'close')
    return last?.type === 'opaque' && last.node.kind === 'image'
  }

  /** Whether the line ends in this very picture: pages carry a small copy of one, or one for readers without scripts. */
  private isShown(picture: ViewNode): boolean {
    if (this.line === undefined || this.line.breaks > 0) return false
    const { items } = this.line
    let link: string | undefined
    for (let at = items.length - 1; at >= 0; at -= 1) {
      const item = items[at]
      if (item === undefined) return false
      const { type, node } = item
      if (type === 'close' && node.kind === 'link') link = node.details.href
      else if (type === 'break' || (type === 'text' && node.nodeValue.trim() !== '')) return false
      else if (type === 'opaque') {
        const own = this.marks.find((mark) => mark.kind === 'link')
        // The same link that is open still, or another to the same place.
        const isSameLink = own?.node === undefined ? link === own?.details.href : link === undefined
        return node.kind === 'image' && isSameLink && isSamePicture(node, picture)
      }
    }
    return false
  }

  /** A line break; two make a new paragraph, and one at the end of a block nothing. A link has one line. */
  lineBreak(): void {
    if (this.inLink) this.text(' ')
    else if (this.line !== undefined) this.line.breaks += 1
  }

  private openLine(isMarked = true): Line {
    const isFlat = this.inHeading || this.inCell
    if (this.line !== undefined && this.line.breaks > 1 && !isFlat) this.endLine()
    if (this.line === undefined) {
      const paragraph = this.inCaption ? new ViewNode('paragraph', '', { isCaption: true }) : new ViewNode('paragraph')
      this.container.append(paragraph)
      this.line = { paragraph, items: [], tail: paragraph, endsWithSpace: false, breaks: 0 }
    }
    const { line } = this
    if (line.breaks > 0) {
      const node = new ViewNode('break')
      line.tail.append(node)
      line.items.push({ type: 'break', node })
      line.breaks = 0
    }
    if (isMarked) this.openMarks(line)
    return line
  }

  private openMarks(line: Line): void {
    // Links directly beside each other are set apart by their looks only.
    const last = line.items.at(-1)
    const isLinkNext = this.marks.some(({ kind, node }) => kind === 'link' && node === undefined)
    if (isLinkNext && last?.type === 'close' && last.node.kind === 'link') this.addText(' ', false)
    for (const mark of this.marks) {
      if (mark.node !== undefined || !mark.applies()) continue
      const before = line.tail.childNodes.at(-1)
      // `<b>one</b><b>two</b>` is one stretch: `**one****two**` would be none.
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
        line.items.push({ type: 'open', node: mark.node })
      }
      line.tail = mark.node
    }
  }
}
