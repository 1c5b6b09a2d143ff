/** Facts about an image that an {@link ImageParser} is called with. */
export interface ImageFacts {
  /** Media type, detected from the bytes, e.g. `image/png`. */
  readonly mediaType: string
  /** Final URL of the image. */
  readonly url: string
  /** Aborted when the page's deadline passes or its job is cancelled; later results are ignored. */
  readonly signal: AbortSignal
}

/**
 * Reads what is in a picture, by OCR or with a model: the engine's `imageParser`. Vector pictures (SVG) are text, and
 * are never given to it.
 *
 * @returns what is to be seen, as Markdown
 * @throws whatever it likes: the page fails with it
 * @example const imageParser: ImageParser = async (bytes, { mediaType, signal }) => await readWithModel(bytes,
 * mediaType, signal)
 */
export type ImageParser = (bytes: Uint8Array, facts: ImageFacts) => Promise<string>
