import type { MediaType } from './media-types.js'

/** A file before it has a name. */
export interface UnnamedFile {
  readonly kind: 'screenshot' | 'pdf' | 'audio' | 'video'
  readonly mediaType: 'image/png' | 'image/jpeg' | 'application/pdf' | MediaType
  readonly bytes: Uint8Array
  /** URL of the page. */
  readonly pageUrl: string
}

/** A file produced from a page: a screenshot, a PDF, or the audio or video that the page shows. */
export interface MediaFile extends UnnamedFile {
  /** Name derived from the content, for example `4f2a….png`: equal bytes have equal names. */
  readonly name: string
}

/**
 * Stores a screenshot, a PDF, an audio or a video file and returns its URL, which the document then has in place of a `data:` URI.
 *
 * Calls may overlap. When a sink throws, or is not done when the page's time is up, the document has the `data:` URI and a warning. Only
 * audio and video of more than 8 MiB cannot be inlined: their pages fail with `SCRAPE_MEDIA_NOT_KEPT`.
 *
 * @param signal aborted when the page's time is up
 * @example
 * createEngine({ media: async ({ name, bytes, mediaType }) => await upload(`shots/${name}`, bytes, mediaType) })
 */
export type MediaSink = (file: MediaFile, signal: AbortSignal) => string | Promise<string>
