import { yieldIfHeld } from './yield-turn.js'

/**
 * Bytes that are copied before the clock is read. The first copy into new memory costs more than the bytes: the system
 * clears each of its pages, which takes 1 ms for 4 MB, and several times as long on a busy machine.
 */
const STEP_BYTES = 1024 * 1024

/** Copies bytes into one buffer of their own, in slices of a turn of the event loop. */
export async function concatBytes(parts: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const joined = new Uint8Array(Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0)).buffer)
  let at = 0
  let copied = 0
  for (const part of parts) {
    for (let from = 0; from < part.length; from += STEP_BYTES) {
      const step = part.subarray(from, from + STEP_BYTES)
      joined.set(step, at + from)
      copied += step.length
      if (copied < STEP_BYTES) continue
      copied = 0
      await yieldIfHeld()
    }
    at += part.length
  }
  return joined
}
