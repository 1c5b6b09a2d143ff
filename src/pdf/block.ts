import type { Run } from './page-text.js'

/** A piece of text in one style. */
export interface Span {
  readonly text: string
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isMono: boolean
  readonly isRaised: boolean
  readonly href?: string
}

/** Where something stands on its page: points from the top left corner of the page as it is read. */
export interface PageBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface Placed {
  /** Absent where it is not known, as for text that runs up the page. */
  box?: PageBox
}

export type PdfBlock = Heading | Paragraph | Listing | Code | Table | Note | PageStart

export interface Heading extends Placed {
  readonly kind: 'heading'
  readonly spans: readonly Span[]
  /** What its level is told by. */
  readonly size: number
  readonly page: number
  level: number
}

export interface Paragraph extends Placed {
  readonly kind: 'paragraph'
  readonly spans: Span[]
  readonly size: number
  readonly page: number
  /** Whether its last line is as long as its lines may be, so that it may go on elsewhere. */
  isFull: boolean
  /** Whether its first line is set in. */
  readonly isIndented: boolean
}

export interface ListItem {
  readonly spans: Span[]
  /** Where its mark stands, from the left of its column. */
  readonly left: number
  /** The number that it has; undefined for a mark that is no number. */
  readonly number?: number
}

export interface Listing extends Placed {
  readonly kind: 'list'
  readonly items: ListItem[]
  readonly page: number
  isFull: boolean
  /** Whether it is a table of contents. */
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
export interface PageStart {
  readonly kind: 'page'
  readonly page: number
}

/** A run as a span. */
export const spanOf = (run: Run, text = run.text): Span => ({
  text,
  isBold: run.isBold,
  isItalic: run.isItalic,
  isMono: run.isMono,
  isRaised: run.isRaised === true,
  ...(run.href !== undefined && { href: run.href }),
})
