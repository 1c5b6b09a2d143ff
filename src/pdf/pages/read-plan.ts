import type { PagePicture } from '../../ocr/ocr.js'

/** How a file is read. */
export interface ReadPdfPlan {
  /** Pages read, from the first. */
  readonly maxPages?: number
  /** Whether it is marked where each page begins: with a paragraph `— Page 1 —`, whose `id` is `page-1`, and so on; no paragraph goes on over it. */
  readonly pageMarkers?: boolean
  /** Whether pictures of pages are read: those without text, none, or all. @default 'auto' */
  readonly mode?: 'fast' | 'auto' | 'ocr'
  /** Whether each page is given by itself as well. @default false */
  readonly parts?: boolean
  /** Reads the text in a picture; absent where nobody can. */
  readonly readText?: (picture: PagePicture) => Promise<string>
  /** Called after each page; throws where the file is to be given up. */
  readonly takeTurn?: () => Promise<void>
}
