import {
  countDelimiters,
  countSigns,
  isBreak,
  isUnderline,
  readMarker,
  skipSpace,
  type SourceLine,
  splitCells,
  takeColumns,
  withoutClosing,
  withoutEnd,
} from './source-line.js'
import { type InlineText, readInline } from './read-inline.js'

/** A block of a Markdown text: a heading, a paragraph, the start of an item or of a row, a cell, or code. */
export interface TwinBlock {
  /** Containers and kind of it, such as `>- heading 2`. For code, with its language. */
  readonly kind: string
  /** Code, exactly. */
  readonly code?: string
  readonly inline: InlineText
  /** Place in the source of its first line. */
  readonly from: number
  /** Returns the place in the source of a place in its text; to be called with rising places. */
  readonly placeOf: (at: number) => number
}

interface Container {
  /** `>` or `-`. */
  readonly mark: string
  /** Columns by which the lines of an item are indented. */
  readonly indent: number
}

interface Fence {
  readonly sign: string
  readonly length: number
  readonly indent: number
  readonly kind: string
  readonly from: number
  readonly lines: string[]
}

/** Maximum depth of lists and quotes. */
const MAX_DEPTH = 100

const NO_TEXT: InlineText = { text: '', targets: [] }

/**
 * Reads the blocks of a Markdown text in one pass, as CommonMark and tables do. Definitions, HTML and code by indentation have no
 * blocks of their own.
 *
 * @returns the reason if it cannot be read with certainty
 * @see https://spec.commonmark.org/0.31.2/
 */
export function readBlocks(markdown: string): readonly TwinBlock[] | string {
  const reader = new BlockReader()
  let at = 0
  for (const line of markdown.split('\n')) {
    const problem = reader.add(line, at)
    if (problem !== undefined) return problem
    at += line.length + 1
  }
  return reader.end()
}

class BlockReader {
  readonly #blocks: TwinBlock[] = []
  #stack: Container[] = []
  #fence: Fence | undefined
  /** True if a tab belongs in part to what a line stands in, and in part to the line. */
  #hasSplitTab = false
  /** Signs of the last items, by depth, of lists that may go on. */
  #signs: (string | undefined)[] = []
  #paragraph: SourceLine[] = []
  /** Number of cells of the table that is open. */
  #table: number | undefined

  /** Adds a line. @returns the reason if it cannot be read */
  add(line: string, at: number): string | undefined {
    const { matched, ...start } = this.#matchContainers(line)
    if (this.#fence) return this.#addCode(this.#fence, line, { matched, ...start })
    let { pos, col } = start
    let depth = matched
    for (;;) {
      const space = skipSpace(line, pos, col)
      const rest = line.slice(space.pos)
      if (rest === '') return this.#blank(depth)
      const isOpen = this.#paragraph.length > 0
      if (space.width >= 4) {
        if (!isOpen) return 'It has code by indentation.'
        break
      }
      const isOwn = isOpen && depth === this.#stack.length
      if (isOwn && isUnderline(rest)) return this.#endParagraph(rest.startsWith('=') ? 'heading 1' : 'heading 2')
      if (isBreak(rest)) {
        this.#close(depth)
        this.#push('break', NO_TEXT, [{ text: line, at }])
        return undefined
      }
      const mark = rest.startsWith('>') ? '>' : readMarker(rest, isOwn)
      if (mark === undefined) break
      this.#close(depth)
      depth += 1
      if (depth > MAX_DEPTH) return 'It has lists that are too deep.'
      pos = space.pos + mark.length
      col = space.col + mark.length
      const after = skipSpace(line, pos, col)
      if (mark === '>') {
        this.#push('quote', NO_TEXT, [{ text: line, at }])
        this.#stack.push({ mark, indent: 0 })
        if (after.width > 0) ({ pos, col } = this.#take(line, pos, col, 1))
        continue
      }
      if (after.width > 4 && after.pos < line.length) return 'It has code by indentation.'
      const gap = after.pos < line.length ? after.width : 1
      this.#pushItem(mark, { text: line, at })
      this.#stack.push({ mark: '-', indent: space.width + mark.length + gap })
      if (after.pos === line.length) return undefined
      ;({ pos, col } = after)
    }
    const space = skipSpace(line, pos, col)
    return this.#addLeaf({ text: line.slice(space.pos), at: at + space.pos }, { depth, indent: space.width })
  }

  /** Ends the text. @returns its blocks, or the reason if it cannot be read */
  end(): readonly TwinBlock[] | string {
    if (this.#fence) return 'It has code without an end.'
    if (this.#hasSplitTab) return 'It has tabs that belong to two blocks.'
    this.#close(0)
    return this.#blocks
  }

  #matchContainers(line: string): { matched: number; pos: number; col: number } {
    let [pos, col, matched] = [0, 0, 0]
    for (const { mark, indent } of this.#stack) {
      const space = skipSpace(line, pos, col)
      const isBlank = space.pos === line.length
      if (mark === '>') {
        if (space.width > 3 || line[space.pos] !== '>') break
        pos = space.pos + 1
        col = space.col + 1
        if (skipSpace(line, pos, col).width > 0) ({ pos, col } = this.#take(line, pos, col, 1))
      } else if (isBlank || space.width >= indent) ({ pos, col } = this.#take(line, pos, col, indent))
      else break
      matched += 1
    }
    return { matched, pos, col }
  }

  #addCode(fence: Fence, line: string, start: { matched: number; pos: number; col: number }): string | undefined {
    if (start.matched < this.#stack.length) return 'It has code without an end.'
    const space = skipSpace(line, start.pos, start.col)
    const rest = withoutEnd(line.slice(space.pos))
    const isEnd = space.width < 4 && rest.length >= fence.length && rest === fence.sign.repeat(rest.length)
    if (!isEnd) {
      fence.lines.push(line.slice(this.#take(line, start.pos, start.col, fence.indent).pos))
      return undefined
    }
    this.#fence = undefined
    this.#signs.length = Math.min(this.#signs.length, this.#stack.length)
    this.#blocks.push({
      kind: fence.kind,
      code: fence.lines.join('\n'),
      inline: NO_TEXT,
      from: fence.from,
      placeOf: (place) => place,
    })
    return undefined
  }

  #addLeaf(line: SourceLine, { depth, indent }: { depth: number; indent: number }): string | undefined {
    const { text } = line
    const isOpen = this.#paragraph.length > 0
    const isCode = (text.startsWith('```') && !text.replace(/^`+/, '').includes('`')) || text.startsWith('~~~')
    if (isCode && indent < 4) {
      this.#close(depth)
      const length = countSigns(text)
      const kind = `${this.#path()} code ${withoutEnd(text.slice(skipSpace(text, length, 0).pos))}`
      this.#fence = { sign: text.charAt(0), length, indent, kind, from: line.at, lines: [] }
      return undefined
    }
    const level = text.startsWith('#') && indent < 4 ? countSigns(text) : 0
    if (level > 0 && level < 7 && (text.length === level || ' \t'.includes(text.charAt(level)))) {
      this.#close(depth)
      this.#pushText(`heading ${level}`, [{ text: withoutClosing(text.slice(level)), at: line.at + level }])
      return undefined
    }
    if (this.#table !== undefined && depth === this.#stack.length) return this.#addRow(line)
    const first = this.#paragraph.length === 1 ? this.#paragraph[0] : undefined
    const cells = first && indent < 4 && depth === this.#stack.length ? countDelimiters(text) : 0
    if (first && cells > 0 && splitCells(first).length === cells) {
      this.#paragraph = []
      this.#table = cells
      this.#push(`table ${cells}`, NO_TEXT, [first])
      return this.#addRow(first)
    }
    if (!isOpen) this.#close(depth)
    this.#paragraph.push(line)
    return undefined
  }

  #addRow(line: SourceLine): undefined {
    this.#push('row', NO_TEXT, [line])
    for (const cell of splitCells(line)) this.#pushText('cell', [cell], true)
  }

  #blank(depth: number): undefined {
    this.#endParagraph('text')
    this.#table = undefined
    this.#stack.length = depth
  }

  /** Closes what is open, but for some containers. */
  #close(depth: number): void {
    this.#blank(depth)
  }

  #endParagraph(kind: string): undefined {
    const lines = this.#paragraph
    this.#paragraph = []
    if (lines.length > 0) this.#pushText(kind, lines)
  }

  #pushText(kind: string, lines: readonly SourceLine[], isCell = false): void {
    this.#push(kind, readInline(lines.map(({ text }) => text).join('\n'), isCell), lines)
  }

  #push(kind: string, inline: InlineText, lines: readonly SourceLine[]): void {
    this.#signs.length = Math.min(this.#signs.length, this.#stack.length + (kind.startsWith('item') ? 1 : 0))
    this.#blocks.push({
      kind: `${this.#path()} ${kind}`,
      inline,
      from: lines[0]?.at ?? 0,
      placeOf: placesIn(lines),
    })
  }

  /** Pushes the start of an item; the first of a list that follows another one is told by its sign. */
  #pushItem(mark: string, line: SourceLine): void {
    const depth = this.#stack.length
    const sign = mark.slice(-1)
    const isOther = (this.#signs[depth] ?? sign) !== sign
    this.#push(`item ${mark.length === 1 ? '-' : mark.slice(0, -1)}${isOther ? ' of another list' : ''}`, NO_TEXT, [
      line,
    ])
    this.#signs[depth] = sign
  }

  #take(line: string, start: number, column: number, columns: number): { pos: number; col: number } {
    const taken = takeColumns(line, start, column, columns)
    this.#hasSplitTab ||= taken.col > column + columns && (taken.pos < line.length || this.#fence !== undefined)
    return taken
  }

  #path(): string {
    return this.#stack.map(({ mark }) => mark).join('')
  }
}

/** Returns the function that finds a place of joined lines in the source. It is called with rising places. */
function placesIn(lines: readonly SourceLine[]): (place: number) => number {
  let [index, start] = [0, 0]
  return (place) => {
    let line = lines[index]
    while (line && place > start + line.text.length) {
      start += line.text.length + 1
      index += 1
      line = lines[index]
    }
    return (line?.at ?? 0) + place - start
  }
}
