/** A picture of a page, as a scanner makes it. */
export interface PagePicture {
  /** A portable grey map, in 256 shades. @see Netpbm, PGM (P5) */
  readonly bytes: Uint8Array
  readonly mediaType: 'image/x-portable-graymap'
  /** The page of the file that it shows, from 1. */
  readonly page: number
  /** Pixels. */
  readonly width: number
  /** Pixels. */
  readonly height: number
}

/**
 * Reads the text in a picture. What it gives is plain text: a line for each line, an empty one between paragraphs. One that
 * throws leaves the page without text, with a warning.
 *
 * @param signal aborts when the page's time is over, or the engine is closed
 * @example
 * const engine = createEngine({ ocr: async ({ bytes }, signal) => await askMyService(bytes, signal) })
 */
export type Ocr = (picture: PagePicture, signal: AbortSignal) => Promise<string>
