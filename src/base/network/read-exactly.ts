import type { Socket } from 'node:net'

/**
 * Reads a number of bytes from a socket, and leaves the rest for its next owner.
 *
 * @throws Error when the socket ends before that; the socket's error; the signal's reason
 */
export async function readExactly(socket: Socket, bytes: number, signal: AbortSignal): Promise<Buffer> {
  let read: Buffer = Buffer.alloc(0)
  while (read.length < bytes) read = Buffer.concat([read, await readSome(socket, bytes - read.length, signal)])
  return read
}

/**
 * Reads at least one byte from a socket, and leaves the rest for its next owner.
 *
 * @throws Error when the socket has ended; the socket's error; the signal's reason
 */
export async function readSome(socket: Socket, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  for (;;) {
    signal.throwIfAborted()
    // Never more than is buffered: a socket with bytes left emits `readable` without end and keeps the process busy.
    const chunk: unknown = socket.read(Math.min(maxBytes, socket.readableLength) || undefined)
    if (Buffer.isBuffer(chunk)) return chunk
    if (socket.readableEnded || socket.destroyed) throw new Error('the connection ended too early')
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
