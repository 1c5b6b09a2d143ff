import type { PdfBlock, Code, Heading, Listing, Paragraph } from '../block.js'
import { findCards } from './find-cards.js'
import { countHeadingLines, type Titles } from './find-headings.js'
import { findGrid, findTable, type TableContext, type FoundTable, hasLeaders, isParted } from './find-tables.js'
import { breakSpans, joinLines, joinSpans, spansOf } from './join-spans.js'
import { dropMono, isMonoProse, joinCodeLines } from './mono-lines.js'
import { MAX_VERSE, widen } from './widen-region.js'
import { isProse } from '../layout/wraps.js'
import { findListMark, hasBullet, hasMarkApart, type ListMark } from './list-mark.js'
import { isClose, type TypicalText } from '../layout/measure-text.js'
import type { Line, PdfPageText, TextRegion, RulingLine } from '../page-text.js'
import { placeBlock } from './place-block.js'
import { extractFootnotes } from './extract-footnotes.js'

/** Properties of the whole file that the detection of blocks depends on. */
interface PdfBlockContext {
  readonly usual: TypicalText
  readonly titles: Titles
}

/** Minimum number of ends of lines of a verse. */
const MIN_VERSE_JOINTS = 2

/** Finds the blocks of a page in reading order, footnotes last. */
export function findBlocks(page: PdfPageText, context: PdfBlockContext): PdfBlock[] {
  const { notes, regions } = extractFootnotes(page, context.usual)
  const widened = regions.map((region) => widen(region, regions, page.width))
  return [...widened.flatMap((region) => new BlockReader(region, page.rules, page.index, context).read()), ...notes]
}

/** Reads the lines of a column, one block after another. */
class BlockReader {
  readonly #blocks: PdfBlock[] = []
  readonly #tableContext: TableContext
  #at = 0

  constructor(
    readonly region: TextRegion,
    readonly rules: readonly RulingLine[],
    readonly page: number,
    readonly context: PdfBlockContext,
  ) {
    this.#tableContext = { rules, page, words: context.usual.words }
  }

  read(): PdfBlock[] {
    const { lines } = this.region
    while (this.#at < lines.length) {
      const line = lines[this.#at]
      if (line === undefined) break
      const from = this.#at
      if (this.#readCards()) continue
      if (
        !this.#take(findGrid(lines, this.#at, this.context.usual.words, this.page)) &&
        !this.#readContents(line) &&
        !this.#take(findTable(lines, this.#at, this.#tableContext)) &&
        !this.#readCode(line) &&
        !this.#readHeading(line) &&
        !this.#readListItem(line)
      )
        this.#readParagraph(line)
      placeBlock(this.#blocks.at(-1), lines.slice(from, this.#at))
    }
    return this.#blocks
  }

  #take(found: FoundTable | undefined): boolean {
    if (found === undefined) return false
    this.#blocks.push(found.table)
    this.#at += found.lines
    return true
  }

  /** Reads texts that stand side by side, one after the other. */
  #readCards(): boolean {
    const found = findCards(this.region.lines, this.#at)
    if (found === undefined) return false
    for (const region of found.columns)
      for (const block of new BlockReader(region, this.rules, this.page, this.context).read()) this.#blocks.push(block)
    this.#at += found.lines
    return true
  }

  /** Reads a line of a table of contents: a title, dot leaders, and a page number. */
  #readContents(line: Line): boolean {
    const before = this.#blocks.at(-1)
    const isNext =
      before?.kind === 'list' &&
      before.isContents === true &&
      line.segments.length > 1 &&
      /\s[\divxl]+$/.test(line.text)
    if (!isNext && !hasLeaders(line)) return false
    const item = { spans: withoutLeaders(spansOf(line.runs)), left: line.left - this.region.left }
    if (before?.kind === 'list' && before.isContents === true) before.items.push(item)
    else
      this.#blocks.push({
        kind: 'list',
        items: [item],
        page: this.page,
        isFull: false,
        isContents: true,
      } satisfies Listing)
    this.#at += 1
    return true
  }

  #readCode(first: Line): boolean {
    if (!first.isMono || this.#isWithinText(this.#at)) return false
    const lines = [first]
    for (this.#at += 1; this.#at < this.region.lines.length; this.#at++) {
      const [before, line] = [lines.at(-1), this.region.lines[this.#at]]
      if (
        before === undefined ||
        !line?.isMono ||
        this.#isWithinText(this.#at) ||
        line.y - before.y > 4 * line.size ||
        line.y < before.y
      )
        break
      lines.push(line)
    }
    if (isMonoProse(lines)) {
      const plain = { ...this.region, lines: lines.map(dropMono) }
      for (const block of new BlockReader(plain, this.rules, this.page, this.context).read()) this.#blocks.push(block)
    } else
      this.#blocks.push({ kind: 'code', text: joinCodeLines(lines, this.region.left), page: this.page } satisfies Code)
    return true
  }

  #readHeading(line: Line): boolean {
    const { lines } = this.region
    const count = countHeadingLines(lines, this.#at, this.context.usual, this.context.titles)
    if (count === 0) return false
    const spans = joinLines(
      lines.slice(this.#at, this.#at + count).map(({ runs }) => spansOf(runs)),
      this.context.usual.words,
    )
    this.#blocks.push({ kind: 'heading', spans, size: line.size, page: this.page, level: 0 } satisfies Heading)
    this.#at += count
    return true
  }

  #readListItem(line: Line): boolean {
    const mark = findListMark(line)
    const before = this.#blocks.at(-1)
    if (mark === undefined || !this.#isItem(line, mark, before)) return false
    const spans = cutStart(spansOf(line.runs), mark.length)
    let last = line
    for (this.#at += 1; this.#at < this.region.lines.length; this.#at++) {
      const next = this.region.lines[this.#at]
      if (next === undefined || !this.#continuesParagraph(last, next) || next.left < line.left + 0.5 * line.size) break
      if (next.left > mark.textLeft + 1.5 * line.size || this.#startsBlock()) break
      joinSpans(spans, spansOf(next.runs), this.context.usual.words)
      last = next
    }
    const item = {
      spans,
      left: line.left - this.region.left,
      number: mark.number,
    }
    const isFull = this.#isFull(last)
    if (before?.kind === 'list') {
      before.items.push(item)
      before.isFull = isFull
    } else this.#blocks.push({ kind: 'list', items: [item], page: this.page, isFull } satisfies Listing)
    return true
  }

  /** Tests if a line is a list item. A number is a marker only if another item follows or the next line is indented. */
  #isItem(line: Line, mark: ListMark, before: PdfBlock | undefined): boolean {
    if (hasBullet(line) || before?.kind === 'list') return true
    const next = this.region.lines[this.#at + 1]
    if (next !== undefined && isClose(next.left, mark.textLeft) && next.left > line.left + 0.5 * line.size) return true
    return this.region.lines
      .slice(this.#at + 1, this.#at + 12)
      .some((other) => Math.abs(other.left - line.left) < 2 && findListMark(other) !== undefined)
  }

  #readParagraph(first: Line): void {
    const spans = spansOf(first.runs)
    const lines = [first]
    const joints: { readonly isShort: boolean; readonly isBroken: boolean }[] = []
    let last = first
    let left = first.left
    for (this.#at += 1; this.#at < this.region.lines.length; this.#at++) {
      const line = this.region.lines[this.#at]
      if (line === undefined || !this.#continuesParagraph(last, line) || this.#startsBlock()) break
      const width = this.region.right - this.region.left
      // Lines that end at the right have their room at the left.
      const isRightAligned =
        Math.abs(line.right - last.right) < 1 &&
        Math.abs(line.left - last.left) > 1 &&
        Math.min(line.left, last.left) > this.region.left + 0.3 * width
      // Indentation begins a new paragraph.
      const isNewParagraph = line.left > left + 0.8 * line.size && last.left <= left + 0.3 * line.size
      if (isNewParagraph && !isRightAligned && !this.#isCentred(line)) break
      const room = this.region.right - last.right + (isRightAligned ? last.left - this.region.left : 0)
      const isShort = this.#firstWord(line) < room - 0.6 * line.size
      if (isShort && !isRightAligned && /[.:!?\u3002]["'\u201d\u2019)]?$/.test(last.text)) break
      joints.push({ isShort, isBroken: isShort && room > 0.3 * width })
      lines.push(line)
      left = Math.min(left, line.left)
      last = line
    }
    // Of verses, each line has room for the next word.
    const isVerse =
      joints.length >= MIN_VERSE_JOINTS &&
      joints.every(({ isShort }) => isShort) &&
      lines.every(({ text }) => text.length <= MAX_VERSE) &&
      !isProse(lines)
    joints.forEach(({ isBroken }, at) => {
      const [before, line] = [lines[at], lines[at + 1]]
      if (before === undefined || line === undefined) return
      const next = spansOf(line.runs)
      if ((isBroken || isVerse) && !isHyphenated(before.text, line.text)) breakSpans(spans, next)
      else joinSpans(spans, next, this.context.usual.words)
    })
    const isIndented = first.left > this.region.left + 0.8 * first.size
    this.#blocks.push({
      kind: 'paragraph',
      spans,
      size: first.size,
      page: this.page,
      isFull: this.#isFull(last),
      isIndented,
    })
  }

  /** Tests if a line may continue the paragraph of the line before it. */
  #continuesParagraph(before: Line, line: Line): boolean {
    const { usual } = this.context
    const gap = line.y - before.y
    const most = (Math.max(usual.leading, 1.15) * 1.15 + 0.06) * Math.max(line.size, before.size)
    if (
      gap <= 0 ||
      gap > most ||
      (line.isMono && !this.#isWithinText(this.#at)) ||
      Math.abs(line.size - before.size) > 0.12 * before.size
    )
      return false
    return true
  }

  /** Tests if a monospaced line belongs to a paragraph of proportional text: a long identifier can fill a line. */
  #isWithinText(at: number): boolean {
    const { lines } = this.region
    const [before, line, next] = [lines[at - 1], lines[at], lines[at + 1]]
    if (line === undefined) return false
    const isBeside = (other: Line | undefined): boolean =>
      other !== undefined &&
      !other.isMono &&
      Math.abs(other.size - line.size) <= 0.12 * line.size &&
      Math.abs(other.y - line.y) <= (this.context.usual.leading * 1.1 + 0.03) * line.size
    return isBeside(before) && (next === undefined || !next.isMono) && !/[.:]$/.test(before?.text ?? '')
  }

  /** Tests if another block starts at the current line. */
  #startsBlock(): boolean {
    const { lines } = this.region
    const line = lines[this.#at]
    if (line === undefined || line.row !== undefined || hasLeaders(line)) return true
    if (countHeadingLines(lines, this.#at, this.context.usual, this.context.titles) > 0) return true
    const mark = findListMark(line)
    if (mark !== undefined && this.#isItem(line, mark, this.#blocks.at(-1))) {
      const before = lines[this.#at - 1]
      if (hasBullet(line) || before === undefined || /[.:;,]$/.test(before.text) || findListMark(before)) return true
      // The first item of a nested list.
      if (line.left > before.left + 0.2 * line.size && hasMarkApart(line)) return true
    }
    if (!isParted(line)) return false
    return findTable(lines, this.#at, this.#tableContext) !== undefined || findCards(lines, this.#at) !== undefined
  }

  #isFull = (line: Line): boolean => line.right > this.region.right - 2.5 * line.size

  #isCentred({ left, right, size }: Line): boolean {
    return Math.abs(left - this.region.left - (this.region.right - right)) < size && left > this.region.left + 2 * size
  }

  #firstWord({ text, left, right }: Line): number {
    const word = text.split(' ', 1)[0] ?? ''
    return ((right - left) * (word.length + 1)) / Math.max(1, text.length)
  }
}

/** Tests if a word is divided between two lines. */
const isHyphenated = (before: string, next: string): boolean =>
  /\p{L}[-\u2010\u00ad]$/u.test(before) && /^\p{Ll}/u.test(next)

const withoutLeaders = (spans: Paragraph['spans']): Paragraph['spans'] =>
  spans.map((span) => ({
    ...span,
    text: span.text.replace(/(?:\s*[._\u2026\u00b7]){3,}\s*/g, ' ').replace(/^\s*\.\s*$/, ' '),
  }))

/** Removes the characters of a marker. */
function cutStart(spans: Paragraph['spans'], length: number): Paragraph['spans'] {
  let left = length
  return spans
    .map((span) => {
      const cut = Math.min(left, span.text.length)
      left -= cut
      return { ...span, text: span.text.slice(cut) }
    })
    .filter(({ text }) => text !== '')
}
