/** A picture of a page. */
export interface Picture {
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly bytes: Uint8Array
  /** What it does not show: a sentence. */
  readonly warning?: string
}
