import type { MediaType } from './media-types.js'

interface AnyFile {
  readonly bytes: Uint8Array
  /** URL of the page. */
  readonly pageUrl: string
}

/** A file that is made from a page, or that a page shows. */
export interface MadeFile extends AnyFile {
  readonly kind: 'screenshot' | 'pdf' | 'audio' | 'video'
  readonly mediaType: 'image/png' | 'image/jpeg' | 'application/pdf' | MediaType
}

/** A page that is a file, as received. */
interface ReceivedFile extends AnyFile {
  readonly kind: 'original'
  readonly mediaType: string
  /** File name extension, without the dot. */
  readonly ending: string
}

/** A page that is a file, such as a PDF: the file as received. */
export interface OriginalFile {
  /** The URL that the engine's `media` sink returned, a `data:` URI without a sink. */
  readonly url: string
  /** Name as the server or the URL states it, with the extension of its type. */
  readonly name: string
  /** Type by its bytes, without parameters. */
  readonly mediaType: string
  readonly bytes: number
  /** SHA-256 of its bytes, in hexadecimal digits. */
  readonly sha256: string
}

/** A file before it has a name. */
export type UnnamedFile = MadeFile | ReceivedFile

/** A file of a page: a screenshot, a PDF, the audio or video that the page shows, or the page itself if it is a file. */
export type MediaFile = UnnamedFile & {
  /** Name derived from the content, for example `4f2a….png`: equal bytes have equal names. */
  readonly name: string
}

/**
 * Stores a screenshot, a PDF, an audio, a video or an original file and returns its URL, which the document then has in place of a `data:` URI.
 *
 * Calls may overlap. When a sink throws, or is not done when the page's time is up, the document has the `data:` URI and a warning.
 * Audio, video and originals of more than 8 MiB cannot be inlined: without `audio` and `video` the page fails with `SCRAPE_MEDIA_NOT_KEPT`,
 * without `original` it has a warning.
 *
 * @param signal aborted when the page's time is up
 * @example
 * createEngine({ media: async ({ name, bytes, mediaType }) => await upload(`shots/${name}`, bytes, mediaType) })
 */
export type MediaSink = (file: MediaFile, signal: AbortSignal) => string | Promise<string>
