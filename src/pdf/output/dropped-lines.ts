/** Text that is left out of a file's content. */
export interface DroppedText {
  readonly words: number
  /** First lines; the others are only counted. */
  readonly lines: readonly DroppedLine[]
}

/** Line that is left out of the content. */
export interface DroppedLine {
  /** Page number, from 1. */
  readonly page: number
  readonly text: string
  /** Reason, as a predicate: `is the number of a page`. */
  readonly reason: string
}

/** Maximum number of listed lines; the others are only counted. */
const MAX_LINES = 1000

/** Counts the lines that are left out of the content, and lists the first ones. */
export class DroppedLines implements DroppedText {
  readonly lines: DroppedLine[] = []
  words = 0

  /** @param index index of the page, from 0 */
  add(index: number, text: string, reason: string): void {
    this.words += text.split(/\s+/).filter(Boolean).length
    if (this.lines.length < MAX_LINES) this.lines.push({ page: index + 1, text, reason })
  }
}
