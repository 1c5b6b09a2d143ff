/** Message between the worker half and the caller half of pdf.js: the fields that are used here. */
export interface Message {
  readonly sourceName?: unknown
  readonly targetName?: unknown
  /** Kind of a stream message: one of `STREAM`. */
  readonly stream?: number
  readonly desiredSize?: number
  readonly reason?: unknown

  readonly action?: string
  readonly data?: unknown
  readonly streamId?: unknown
  readonly chunk?: {
    readonly lastChunk?: boolean
    readonly fnArray?: unknown
    readonly argsArray?: unknown
    readonly items?: unknown
  }
}
