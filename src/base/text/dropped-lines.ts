/** Text that is left out of a file's content. */
export interface DroppedText {
  readonly words: number
  /** Words that no reader of the file sees, which are not among {@link words}. @default 0 */
  readonly hiddenWords?: number
  /** First lines; the others are only counted. */
  readonly lines: readonly DroppedLine[]
}

/** Text that is left out of the content: a line of a page, a slide, a sheet. */
export interface DroppedLine {
  /** CSS selector of its place in the content, such as the marker of its page. */
  readonly selector: string
  readonly text: string
  /** Reason, as a predicate: `is the number of a page`. */
  readonly reason: string
  /** Set for text that no reader of the file sees. */
  readonly isHidden?: true
}

/** Text left out of a file whose parser reads all of it. */
export const NOTHING_DROPPED: DroppedText = { words: 0, lines: [] }

/** Maximum number of listed lines; the others are only counted. */
const MAX_LINES = 1000

/** Counts the lines that a file's parser leaves out of the content, and lists the first ones. */
export class DroppedLines implements DroppedText {
  readonly lines: DroppedLine[] = []
  words = 0
  hiddenWords = 0

  add(line: DroppedLine): void {
    const words = line.text.split(/\s+/).filter(Boolean).length
    if (line.isHidden === true) this.hiddenWords += words
    else this.words += words
    if (this.lines.length < MAX_LINES) this.lines.push(line)
  }
}
