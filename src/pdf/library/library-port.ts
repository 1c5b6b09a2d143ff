import type { Message } from './library-message.js'
import { StreamBound } from './stream-bound.js'

/** One end of a line between the two halves of the library, as `MessagePort` has it. */
export interface LibraryPort {
  postMessage(message: unknown): void
  addEventListener(type: string, listener: Listener, options?: { readonly signal?: AbortSignal }): void
  removeEventListener(type: string, listener: Listener): void
}

type Listener = (event: { readonly data: unknown }) => void

/** A line between the half of the library that reads files and the half that is asked. */
export interface LibraryLine {
  readonly near: LibraryPort
  readonly far: LibraryPort
  /** How many pages were cut off because they came to too much. */
  readonly cuts: () => number
}

/**
 * Makes a line between both halves. The library's own copies all that goes over it, which takes a fifth of the time of reading a
 * page; here only what is used again after it was sent is copied.
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

/** What is received of a message. */
function take(message: Message): Message {
  const { action, data, chunk } = message
  if (action === 'commonobj' && isFont(data)) return { ...message, data: [data[0], data[1], setUp(data[2])] }
  // All of a page's text at once, rather than a hundred pieces at a time.
  if (action === 'GetTextContent') return { ...message, desiredSize: Infinity }
  // What was sent is filled anew: its text, which is put in another list, and its drawing, whose lists are emptied.
  if (chunk === undefined) return message
  const drawing = 'fnArray' in chunk && { fnArray: copy(chunk.fnArray), argsArray: copy(chunk.argsArray) }
  return { ...message, chunk: { ...chunk, ...drawing } }
}

const isFont = (data: unknown): data is readonly [unknown, 'Font', { readonly extra?: object }] =>
  Array.isArray(data) && data[1] === 'Font'

/** A font as if it were ready to be shown, which nothing is: made ready, its file would be written out as a style sheet. */
const setUp = (font: { readonly extra?: object }): object => ({ ...font, extra: { ...font.extra, attached: true } })

const copy = (list: unknown): unknown[] => [...(list as unknown[])]
