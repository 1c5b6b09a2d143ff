import type { PagePicture } from '../../ocr/ocr.js'

/** Options of reading a PDF file. */
export interface ReadPdfPlan {
  /** Maximum number of pages, from the first. */
  readonly maxPages?: number
  /**
   * Marks the start of each page with a paragraph `— Page 1 —` whose `id` is `page-1`; no paragraph continues across
   * it.
   *
   * @default false
   */
  readonly pageMarkers?: boolean
  /** Pages for OCR: those without text (`auto`), none (`fast`), or all (`ocr`). @default 'auto' */
  readonly mode?: 'fast' | 'auto' | 'ocr'
  /** Returns each page separately as well. @default false */
  readonly parts?: boolean
  /** Keeps text that no reader sees. @default false */
  readonly keepsHidden?: boolean
  /** Reads the text of an image; absent without OCR. */
  readonly readText?: (picture: PagePicture) => Promise<string>
  /** Called after each page; throws to stop reading. */
  readonly takeTurn?: () => Promise<void>
}
