import type { Message } from './library-message.js'

/**
 * Maximum number of text items and operations of a page, as forms that draw each other can produce any number. The
 * densest real pages have some ten thousand items; maps have more operations, of which only lines are used.
 */
const [MAX_TEXTS, MAX_OPERATIONS] = [50_000, 100_000]

/** Cost of a form in items, as it is read and sent as a message of its own. */
const MIN_PIECES = 10

/** Kinds of stream messages of the library. */
const STREAM = { cancel: 1, close: 3, pull: 6 } as const

/**
 * Ends the streams of pages with too many items: the receiving half gets the items so far as complete, and the reading
 * half is told to stop.
 */
export class StreamBound {
  /** Number of streams that were ended. */
  cuts = 0
  #stream: unknown
  #pieces = 0
  #cut: unknown
  /** True if the reading half waits for a request before the next chunk; only then it handles a cancellation. */
  #waits = false

  /** @param answer sends a message to the half that reads */
  constructor(readonly answer: (message: Message) => void) {}

  /** Filters a message of the reading half. @returns the messages to forward */
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

  /** Tests if a message refers to a stream that was ended. */
  isLate = ({ stream, streamId }: Message): boolean => stream !== undefined && streamId === this.#cut

  #answer({ sourceName, targetName, streamId }: Message, more: Partial<Message>): void {
    this.answer({ sourceName: targetName, targetName: sourceName, streamId, ...more })
  }
}
