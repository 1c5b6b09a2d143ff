import type { Message } from './library-message.js'

/**
 * Pieces of text, and operations, that one page may come to: forms that draw each other come to any number. The densest pages have
 * some ten thousand pieces; maps have more operations, of which only the lines are looked at.
 */
const [MAX_TEXTS, MAX_OPERATIONS] = [50_000, 100_000]

/** A form is read on its own and sent as a message of its own, which takes as long as some pieces do. */
const MIN_PIECES = 10

/** The library's numbers for messages about a stream. */
const STREAM = { cancel: 1, close: 3, pull: 6 } as const

/**
 * Ends the streams of pages that have too many pieces: the half that is asked gets what there was as all of it, and the half that
 * reads is told that nobody wants more.
 */
export class StreamBound {
  /** Streams that were ended. */
  cuts = 0
  #stream: unknown
  #pieces = 0
  #cut: unknown
  /** Whether the reading half waits with the next piece until somebody asks for it: only then it hears that nobody does. */
  #waits = false

  /** @param answer sends a message to the half that reads */
  constructor(readonly answer: (message: Message) => void) {}

  /** What of a message of the half that reads goes on to the other. */
  check(message: Message): Message[] {
    const { stream, streamId, chunk } = message
    if (stream === undefined) return [message]
    if (streamId === this.#cut) {
      if (chunk !== undefined && this.#waits)
        this.#answer(message, { stream: STREAM.cancel, reason: new Error('The page is too long.') })
      return []
    }
    if (chunk === undefined) return [message]
    if (streamId !== this.#stream) [this.#stream, this.#pieces] = [streamId, 0]
    const { fnArray, items } = chunk
    const list = items ?? fnArray
    if (Array.isArray(list)) this.#pieces += Math.max(MIN_PIECES, list.length)
    if (this.#pieces <= (items === undefined ? MAX_OPERATIONS : MAX_TEXTS)) return [message]
    this.#cut = streamId
    this.#waits = false
    this.cuts += 1
    this.#answer(message, { stream: STREAM.pull, desiredSize: 1 })
    queueMicrotask(() => {
      this.#waits = true
    })
    const { chunk: _chunk, ...rest } = message
    return [
      { ...message, chunk: { ...chunk, lastChunk: true } },
      { ...rest, stream: STREAM.close },
    ]
  }

  /** Whether a message of the half that is asked is about a stream that was ended. */
  isLate = ({ stream, streamId }: Message): boolean => stream !== undefined && streamId === this.#cut

  #answer({ sourceName, targetName, streamId }: Message, more: Partial<Message>): void {
    this.answer({ sourceName: targetName, targetName: sourceName, streamId, ...more })
  }
}
