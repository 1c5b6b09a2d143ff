/** What is known of a font from its name and its flags. */
export interface Face {
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isMono: boolean
}

/** A piece of text in one font, where it stands on the upright page: points from its top left corner. */
export interface Run extends Face {
  readonly text: string
  readonly left: number
  readonly right: number
  /** The baseline. */
  readonly y: number
  /** The size of the font. */
  readonly size: number
  readonly isRtl: boolean
  /** Its place in the order in which the page is drawn. */
  readonly order: number
  /** White space is drawn before it. */
  readonly isSpaced: boolean
  /** Where a link on the page leads to that covers it. */
  readonly href?: string
  /** Where it stands is not where the page has it: it runs up or down the page, or was read from a picture. */
  readonly isUnplaced?: true
  /** Raised beside larger text. */
  readonly isRaised?: true
}

/** Runs on one baseline with no gap between them that is wider than a few words' space. */
export interface Segment {
  readonly runs: Run[]
  left: number
  right: number
  y: number
  size: number
  /** Its place in the order in which the page is drawn. */
  readonly order: number
  /** Where it is a row of a table that is drawn, over the whole width of it. */
  readonly row?: GridRow
}

/** A row of a table whose cells lines part that are drawn. */
export interface GridRow {
  /** Which of the page's tables it belongs to. */
  readonly table: number
  readonly cells: readonly (readonly Line[])[]
  readonly isHead: boolean
  /** From its first baseline to its last. */
  readonly height: number
  /** Lines in the longest of its cells. */
  readonly lines: number
}

/** A line of text: its segments from left to right, or from right to left where it is written so. */
export interface Line {
  readonly segments: readonly Segment[]
  /** All runs, in the order of reading. */
  readonly runs: readonly Run[]
  readonly text: string
  readonly left: number
  readonly right: number
  readonly y: number
  /** The size of most of it. */
  readonly size: number
  readonly isBold: boolean
  readonly isMono: boolean
  /** Where it is a row of a table that is drawn. */
  readonly row?: GridRow
}

/** Part of a page that is read from top to bottom: a column, or what spans all of them. */
export interface TextRegion {
  readonly lines: readonly Line[]
  readonly left: number
  readonly right: number
}

/** A straight line that is drawn, as below the head of a table. */
export interface RulingLine {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** A page, its text in the order of reading. */
export interface PdfPageText {
  /** From 0. */
  readonly index: number
  readonly width: number
  readonly height: number
  readonly regions: readonly TextRegion[]
  readonly rules: readonly RulingLine[]
}

/** An entry of the file's own table of contents. */
export interface OutlineEntry {
  readonly title: string
  /** From 0. */
  readonly depth: number
}
