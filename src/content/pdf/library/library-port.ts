/** One end of the channel between the worker half and the caller half of pdf.js, with the methods of `MessagePort`. */
export interface LibraryPort {
  postMessage(message: unknown): void
  addEventListener(type: string, listener: Listener, options?: { readonly signal?: AbortSignal }): void
  removeEventListener(type: string, listener: Listener): void
}

type Listener = (event: { readonly data: unknown }) => void

/** Channel between the worker half of pdf.js, which reads the file, and the half that callers use. */
interface LibraryChannel {
  readonly near: LibraryPort
  readonly far: LibraryPort
  /** Returns the number of page streams that were ended because a page exceeded the limits. */
  readonly endedStreams: () => number
}

/**
 * Creates a channel between the halves. The library's own channel copies every message, which takes a fifth of the
 * time of reading a page; this one copies only what the sender reuses.
 */
export function linkPorts(): LibraryChannel {
  const [near, far] = [new Set<Listener>(), new Set<Listener>()]
  const limit = new StreamLimit((message) => deliver(far, message))
  const portOf = (own: Set<Listener>, send: (message: Message) => void): LibraryPort => ({
    postMessage: (message) => send(message as Message),
    addEventListener(_type, listener, { signal } = {}) {
      own.add(listener)
      signal?.addEventListener('abort', () => own.delete(listener), { once: true })
    },
    removeEventListener(_type, listener) {
      own.delete(listener)
    },
  })
  return {
    near: portOf(near, (message) => {
      if (!limit.isLate(message)) deliver(far, message)
    }),
    far: portOf(far, (message) => {
      for (const bounded of limit.check(message)) deliver(near, bounded)
    }),
    endedStreams: () => limit.endedStreams,
  }
}

function deliver(listeners: ReadonlySet<Listener>, message: Message): void {
  const data = take(message)
  queueMicrotask(() => {
    for (const listener of listeners) listener({ data })
  })
}

/** Prepares a message for the receiver, which must not share buffers that the sender reuses. */
function take(message: Message): Message {
  const { action, data, chunk } = message
  if (action === 'commonobj' && isFont(data)) return { ...message, data: [data[0], data[1], setUp(data[2])] }
  // Requests the whole text of a page at once instead of a hundred items at a time.
  if (action === 'GetTextContent') return { ...message, desiredSize: Infinity }
  // The sender reuses its buffers: text is moved to another array, arrays of drawings are emptied.
  if (chunk === undefined) return message
  const drawing = 'fnArray' in chunk && { fnArray: copy(chunk.fnArray), argsArray: copy(chunk.argsArray) }
  return { ...message, chunk: { ...chunk, ...drawing } }
}

const isFont = (data: unknown): data is readonly [unknown, 'Font', { readonly extra?: object }] =>
  Array.isArray(data) && data[1] === 'Font'

/**
 * Marks a font as ready for display. The library would otherwise convert it to a style sheet, although nothing is
 * displayed.
 */
const setUp = (font: { readonly extra?: object }): object => ({ ...font, extra: { ...font.extra, attached: true } })

const copy = (list: unknown): unknown[] => [...(list as unknown[])]

/**
 * Maximum number of text items and operations of a page, as forms that draw each other can produce any number. The
 * densest real pages have some ten thousand items; maps have more operations, of which only lines are used.
 */
const [MAX_TEXT_ITEMS, MAX_OPERATIONS] = [50_000, 100_000]

/**
 * Minimum number of items that one message counts as: reading and sending a form costs as much as this many items, even
 * if it is empty.
 */
const MIN_ITEMS_PER_MESSAGE = 10

/** Kinds of stream messages of the library. */
const STREAM = { cancel: 1, close: 3, pull: 6 } as const

interface EndedStream {
  /** True if the worker half waits for a request before the next chunk; it handles a cancellation only then. */
  waits: boolean
  /** True if the worker half came to its end. */
  isComplete: boolean
}

/**
 * Ends the stream of a page with too many items: the caller half receives the items so far as if they were complete,
 * and the worker half is told to stop.
 */
class StreamLimit {
  /** Number of streams that were ended. */
  endedStreams = 0
  #stream: unknown
  #items = 0
  /** Streams that were ended. */
  readonly #ended = new Map<unknown, EndedStream>()

  /** @param answer sends a message to the worker half */
  constructor(readonly answer: (message: Message) => void) {}

  /** Checks a message of the worker half. @returns the messages to forward */
  check(message: Message): Message[] {
    const { stream, streamId, chunk } = message
    if (stream === undefined) return [message]
    const ended = this.#ended.get(streamId)
    if (ended !== undefined) {
      if (stream === STREAM.close || chunk?.lastChunk === true) ended.isComplete = true
      if (chunk !== undefined && ended.waits) this.#cancel(message, ended)
      return []
    }
    if (chunk === undefined) return [message]
    if (streamId !== this.#stream) [this.#stream, this.#items] = [streamId, 0]
    const { fnArray, items } = chunk
    const list = items ?? fnArray
    if (Array.isArray(list)) this.#items += Math.max(MIN_ITEMS_PER_MESSAGE, list.length)
    if (this.#items <= (items === undefined ? MAX_OPERATIONS : MAX_TEXT_ITEMS)) return [message]
    const now: EndedStream = { waits: false, isComplete: chunk.lastChunk === true }
    this.#ended.set(streamId, now)
    this.endedStreams += 1
    this.#answer(message, { stream: STREAM.pull, desiredSize: 1 })
    queueMicrotask(() => {
      now.waits = true
    })
    const { chunk: _chunk, ...rest } = message
    return [
      { ...message, chunk: { ...chunk, lastChunk: true } },
      { ...rest, stream: STREAM.close },
    ]
  }

  /**
   * Tells the worker half to stop, once it waits. It refuses the promise that it waits for: if it has come to its end meanwhile, nothing
   * waits for that promise, and the process would end by it.
   */
  #cancel(message: Message, ended: EndedStream): void {
    ended.waits = false
    setImmediate(() => {
      if (!ended.isComplete)
        this.#answer(message, { stream: STREAM.cancel, reason: new Error('The page is too long.') })
    })
  }

  /** Tests if a message belongs to a stream that was ended. */
  isLate = ({ stream, streamId }: Message): boolean => stream !== undefined && this.#ended.has(streamId)

  #answer({ sourceName, targetName, streamId }: Message, more: Partial<Message>): void {
    this.answer({ sourceName: targetName, targetName: sourceName, streamId, ...more })
  }
}

/** Message between the worker half and the caller half of pdf.js: the fields that are used here. */
interface Message {
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
