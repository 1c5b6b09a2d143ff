/** Properties of an image, passed to an {@link ImageParser}. */
export interface ImageFacts {
  /** Media type, detected from the bytes, e.g. `image/png`. */
  readonly mediaType: string
  /** Final URL of the image. */
  readonly url: string
  /** Aborted when the page's deadline passes or its job is cancelled; later results are ignored. */
  readonly signal: AbortSignal
}

/**
 * Converts an image to text, by OCR or with a model. It is the option `imageParser` of the engine. It is not called for
 * SVG images, whose text trawl reads itself.
 *
 * @returns the text or description of the image, as Markdown
 * @throws any error: the page fails with that error
 * @example const imageParser: ImageParser = async (bytes, { mediaType, signal }) => await readWithModel(bytes,
 * mediaType, signal)
 */
export type ImageParser = (bytes: Uint8Array, facts: ImageFacts) => Promise<string>
