import type { MediaType } from './media-types.js'

/** A picture, or another file that was made of a page; the sound or a film that the page shows. */
export interface MediaFile {
  readonly kind: 'screenshot' | 'pdf' | 'audio' | 'video'
  readonly mediaType: 'image/png' | 'image/jpeg' | 'application/pdf' | MediaType
  readonly bytes: Uint8Array
  /** A name that no other content has, e.g. `4f2a….png`: the same bytes have the same name. */
  readonly name: string
  /** The page that it was made of. */
  readonly pageUrl: string
}

/**
 * Where pictures, PDF files, sound and films go, instead of standing in the document as `data:` URIs: keeps a file, and gives
 * back the URL that stands for it.
 *
 * Several files may be on their way at once. A sink that throws, or that is not done when the page's time is up, loses
 * nothing: the document has the `data:` URI then, and a warning. Only sound and films of more than 8 MiB are no data of a
 * document: their pages fail with `SCRAPE_MEDIA_NOT_KEPT`.
 *
 * @param signal aborted when the page's time is up
 * @example
 * createEngine({ media: async ({ name, bytes, mediaType }) => await upload(`shots/${name}`, bytes, mediaType) })
 */
export type MediaSink = (file: MediaFile, signal: AbortSignal) => string | Promise<string>
