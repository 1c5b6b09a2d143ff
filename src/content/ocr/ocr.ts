/** An image of a scanned page. */
export interface PagePicture {
  /** A portable graymap with 256 shades. @see Netpbm, PGM (P5) */
  readonly bytes: Uint8Array
  readonly mediaType: 'image/x-portable-graymap'
  /** Page number in the file, from 1. */
  readonly page: number
  /** Pixels. */
  readonly width: number
  /** Pixels. */
  readonly height: number
}

/**
 * Reads the text in an image. The result is plain text: one line per line, and an empty line between paragraphs. When
 * it throws, the page has no text and a warning.
 *
 * @param signal aborts when the page's time is over, or the engine is closed
 * @example
 * const engine = createEngine({ ocr: async ({ bytes }, signal) => await askMyService(bytes, signal) })
 */
export type Ocr = (picture: PagePicture, signal: AbortSignal) => Promise<string>
