/** Text of a file that is not in its content. */
export interface DroppedText {
  readonly words: number
  /** The first of its lines. */
  readonly lines: readonly DroppedLine[]
}

/** A line that is not in the content. */
export interface DroppedLine {
  /** Its page, from 1. */
  readonly page: number
  readonly text: string
  /** Why it was left out, to be read after the line: `is the number of a page`. */
  readonly reason: string
}

/** Lines that are listed; the others are only counted. */
const MAX_LINES = 1000

/** Counts the lines that are left out of a file's content, and lists the first of them. */
export class DroppedLines implements DroppedText {
  readonly lines: DroppedLine[] = []
  words = 0

  /** @param index the page's, from 0 */
  add(index: number, text: string, reason: string): void {
    this.words += text.split(/\s+/).filter(Boolean).length
    if (this.lines.length < MAX_LINES) this.lines.push({ page: index + 1, text, reason })
  }
}
