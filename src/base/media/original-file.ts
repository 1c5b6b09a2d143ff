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
