import type { Message } from './library-message.js'
import { StreamBound } from './stream-bound.js'

/** One end of the channel between the two halves of the library, shaped like `MessagePort`. */
export interface LibraryPort {
  postMessage(message: unknown): void
  addEventListener(type: string, listener: Listener, options?: { readonly signal?: AbortSignal }): void
  removeEventListener(type: string, listener: Listener): void
}

type Listener = (event: { readonly data: unknown }) => void

/** Channel between the reading half of the library and the half that callers use. */
export interface LibraryLine {
  readonly near: LibraryPort
  readonly far: LibraryPort
  /** Number of pages that were truncated because they exceeded the limits. */
  readonly cuts: () => number
}

/**
 * Creates a channel between the halves. The library's own channel copies every message, which takes a fifth of the
 * time of reading a page; this one copies only what the sender reuses.
 */
export function linkPorts(): LibraryLine {
  const [near, far] = [new Set<Listener>(), new Set<Listener>()]
  const bound = new StreamBound((message) => deliver(far, message))
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
      if (!bound.isLate(message)) deliver(far, message)
    }),
    far: portOf(far, (message) => {
      for (const bounded of bound.check(message)) deliver(near, bounded)
    }),
    cuts: () => bound.cuts,
  }
}

function deliver(listeners: ReadonlySet<Listener>, message: Message): void {
  const data = take(message)
  queueMicrotask(() => {
    for (const listener of listeners) listener({ data })
  })
}

/** Returns the message as it is received. */
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
 * Marks a font as ready for display, so that the library does not convert it to a style sheet; nothing is displayed.
 */
const setUp = (font: { readonly extra?: object }): object => ({ ...font, extra: { ...font.extra, attached: true } })

const copy = (list: unknown): unknown[] => [...(list as unknown[])]
