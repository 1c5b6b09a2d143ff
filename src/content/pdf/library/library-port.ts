import type { Message } from './library-message.js'
import { StreamLimit } from './stream-limit.js'

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
