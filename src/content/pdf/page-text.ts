/** Style of a font, from its name and flags. */
export interface Face {
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isMono: boolean
}

/** Text in one font, with its position on the upright page in points from the top left corner. */
export interface Run extends Face {
  readonly text: string
  readonly left: number
  readonly right: number
  /** Baseline. */
  readonly y: number
  /** Font size. */
  readonly size: number
  readonly isRtl: boolean
  /** Index in the drawing order of the page. */
  readonly order: number
  /** True if white space is drawn before it. */
  readonly isSpaced: boolean
  /** Target of the link that covers it. */
  readonly href?: string
  /** True if its position on the page is unknown, because it is rotated or comes from OCR. */
  readonly isUnplaced?: true
  /** True for superscripts. */
  readonly isRaised?: true
  /** True if no space stands before it, although it is apart from the run before: words of the other direction are between them. */
  readonly isGlued?: true
  /** True if a line is drawn through it. */
  readonly isStruck?: true
  /** The library's name of its font; absent for what is not drawn as text. */
  readonly font?: string
}

/** Runs on one baseline without wide gaps between them. */
export interface Segment {
  readonly runs: Run[]
  left: number
  right: number
  y: number
  size: number
  /** Index in the drawing order of the page. */
  readonly order: number
  /** Row of a drawn table, if it is one. */
  readonly row?: GridRow
}

/** Row of a table with drawn cell borders. */
export interface GridRow {
  /** Index of its table on the page. */
  readonly table: number
  readonly cells: readonly (readonly Line[])[]
  readonly isHead: boolean
  /** Distance from its first to its last baseline. */
  readonly height: number
  /** Number of lines of its longest cell. */
  readonly lines: number
}

/** Line of text: its segments in reading order. */
export interface Line {
  readonly segments: readonly Segment[]
  /** All runs, in reading order. */
  readonly runs: readonly Run[]
  readonly text: string
  readonly left: number
  readonly right: number
  readonly y: number
  /** Font size of most of its text, in points. */
  readonly size: number
  readonly isBold: boolean
  readonly isMono: boolean
  /** Row of a drawn table, if it is one. */
  readonly row?: GridRow
}

/** Part of a page that is read from top to bottom: a column, or text across all columns. */
export interface TextRegion {
  readonly lines: readonly Line[]
  readonly left: number
  readonly right: number
}

/** Straight line on the page, such as a rule below a table header. */
export interface RulingLine {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Text that is drawn on a page and that no reader sees. */
export interface UnseenLine {
  readonly text: string
  /** Way in which it is hidden, as a predicate. */
  readonly reason: string
}

/** Text of a page in reading order. */
export interface PdfPageText {
  /** From 0. */
  readonly index: number
  readonly width: number
  readonly height: number
  readonly regions: readonly TextRegion[]
  readonly rules: readonly RulingLine[]
  /** True if it was recognized in an image. @default false */
  readonly isScan?: boolean
  /** Text that was left out because nobody sees it. @default none */
  readonly unseen?: readonly UnseenLine[]
}

/** Entry of the file's outline. */
export interface OutlineEntry {
  readonly title: string
  /** From 0. */
  readonly depth: number
}
