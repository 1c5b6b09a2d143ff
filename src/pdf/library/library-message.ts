/** A message between the halves of the library: of what it says, what is looked at here. */
export interface Message {
  readonly sourceName?: unknown
  readonly targetName?: unknown
  /** What a message about a stream is: one of `STREAM`. */
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
