import type { Socket } from 'node:net'

/**
 * Reads so many bytes of a socket, and leaves the rest where it is, for whoever takes the socket over.
 *
 * @throws Error when the socket ends before that; what broke it; the signal's reason
 */
export async function readExactly(socket: Socket, bytes: number, signal: AbortSignal): Promise<Buffer> {
  for (;;) {
    signal.throwIfAborted()
    const chunk: unknown = socket.read(bytes)
    // At the end of a stream what is left is given, though it is less.
    if (Buffer.isBuffer(chunk) && chunk.length === bytes) return chunk
    if (chunk !== null || socket.readableEnded || socket.destroyed) throw new Error('the connection ended too early')
    await untilReadable(socket, signal)
  }
}

const events = ['readable', 'end', 'close'] as const

function untilReadable(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const forget = (): void => {
      for (const name of events) socket.off(name, ready)
      socket.off('error', fail)
      signal.removeEventListener('abort', stop)
    }
    const ready = (): void => {
      forget()
      resolve()
    }
    const fail = (error: Error): void => {
      forget()
      reject(error)
    }
    const stop = (): void => {
      forget()
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    }
    for (const name of events) socket.once(name, ready)
    socket.once('error', fail)
    signal.addEventListener('abort', stop, { once: true })
  })
}
