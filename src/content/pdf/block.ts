import type { Run } from './page-text.js'

/** Text in one style. */
export interface Span {
  readonly text: string
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isMono: boolean
  readonly isRaised: boolean
  readonly isStruck?: true
  readonly href?: string
}

/** Rectangle on a page, in points from the top left corner of the upright page. */
export interface PageBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface Placed {
  /** Position on the page; absent if unknown, as for rotated text. */
  box?: PageBox
}

export type PdfBlock = Heading | Paragraph | Listing | Code | Table | Note | PageStart

export interface Heading extends Placed {
  readonly kind: 'heading'
  readonly spans: readonly Span[]
  /** Font size in points, from which the level is derived. */
  readonly size: number
  readonly page: number
  level: number
}

export interface Paragraph extends Placed {
  readonly kind: 'paragraph'
  readonly spans: Span[]
  readonly size: number
  readonly page: number
  /** True if its last line reaches the right edge, so that the paragraph may continue in the next column or page. */
  isFull: boolean
  /** True if its first line is indented. */
  readonly isIndented: boolean
}

interface ListItem {
  readonly spans: Span[]
  /** Distance of its marker from the left edge of the column, in points. */
  readonly left: number
  /** Number of the item; undefined for bullets and letters. */
  readonly number?: number
}

export interface Listing extends Placed {
  readonly kind: 'list'
  readonly items: ListItem[]
  readonly page: number
  isFull: boolean
  /** True for a table of contents. */
  readonly isContents?: true
}

export interface Code extends Placed {
  readonly kind: 'code'
  text: string
  readonly page: number
}

export interface Table extends Placed {
  readonly kind: 'table'
  readonly rows: (readonly (readonly Span[])[])[]
  readonly hasHead: boolean
  page: number
}

/** A footnote. */
export interface Note extends Placed {
  readonly kind: 'note'
  readonly label: string
  readonly spans: Span[]
  readonly page: number
}

/** Marks where a page begins. */
interface PageStart {
  readonly kind: 'page'
  readonly page: number
}

/** Converts a run to a span. */
export const spanOf = (run: Run, text = run.text): Span => ({
  text,
  isBold: run.isBold,
  isItalic: run.isItalic,
  isMono: run.isMono,
  isRaised: run.isRaised === true,
  href: run.href,
  isStruck: run.isStruck,
})
