/** What an {@link ImageParser} is told beside the bytes. */
export interface ImageFacts {
  /** By the bytes themselves, e.g. `image/png`. */
  readonly mediaType: string
  /** The picture's final URL. */
  readonly url: string
  /** Aborted when the page's deadline passes or its job is cancelled: what comes later is not waited for. */
  readonly signal: AbortSignal
}

/**
 * Reads what is in a picture, by OCR or with a model: the engine's `imageParser`. Vector pictures (SVG) are text, and are
 * never given to it.
 *
 * @returns what is to be seen, as Markdown
 * @throws whatever it likes: the page fails with it
 *
 * @example
 * const imageParser: ImageParser = async (bytes, { mediaType, signal }) => await readWithModel(bytes, mediaType, signal)
 */
export type ImageParser = (bytes: Uint8Array, facts: ImageFacts) => Promise<string>
