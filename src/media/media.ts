/** A picture, or another file that was made of a page. */
export interface MediaFile {
  readonly kind: 'screenshot' | 'pdf'
  readonly mediaType: 'image/png' | 'image/jpeg' | 'application/pdf'
  readonly bytes: Uint8Array
  /** A name that no other content has, e.g. `4f2a….png`: the same bytes have the same name. */
  readonly name: string
  /** The page that it was made of. */
  readonly pageUrl: string
}

/**
 * Where pictures and PDF files go, instead of standing in the document as `data:` URIs: keeps a file, and gives back the
 * URL that stands for it.
 *
 * Several files may be on their way at once. A sink that throws, or that is not done when the page's time is up, loses
 * nothing: the document has the `data:` URI then, and a warning.
 *
 * @param signal aborted when the page's time is up
 * @example
 * createEngine({ media: async ({ name, bytes, mediaType }) => await upload(`shots/${name}`, bytes, mediaType) })
 */
export type MediaSink = (file: MediaFile, signal: AbortSignal) => string | Promise<string>
