import { createHash, randomUUID } from 'node:crypto'

/** Creates a UUID of version 7, which sorts by time. @see RFC 9562 section 5.7 */
export function makeUuid(nowMs: number): string {
  const time = Math.trunc(nowMs).toString(16).padStart(12, '0')
  // The other digits are those of a random UUID, which Node makes from random bytes that it fetches in advance. A list is joined to
  // one text, where a template would keep its parts.
  return [time.slice(0, 8), time.slice(8), `7${randomUUID().slice(15)}`].join('-')
}

/**
 * Derives a UUID of version 5 from a name. The same name in the same space always gives the same UUID.
 *
 * @param space the UUID of the namespace
 * @see RFC 9562 section 5.5
 */
export function makeNamedUuid(space: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(space.replaceAll('-', ''), 'hex'))
    .update(name)
  const bytes = hash.digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
