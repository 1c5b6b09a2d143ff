import * as zlib from 'node:zlib'

const EXTRA = 4
const NAME = 8
const COMMENT = 16
const HEADER_CHECK = 2
const TRAILER_BYTES = 8
/** Maximum number of members: each is a turn of the event loop, and a hostile body may have millions. */
const MAX_MEMBERS = 100

/**
 * Decodes a gzip file up to the end of its last member, and ignores what follows; undefined if it does not begin with a
 * member, or has more than {@link MAX_MEMBERS}. zlib takes what follows for a further member and fails.
 *
 * @param maxBytes maximum decoded size
 * @throws errors of zlib: `Z_DATA_ERROR` for broken data, `ERR_BUFFER_TOO_LARGE` above `maxBytes`
 * @see https://www.rfc-editor.org/rfc/rfc1952#section-2.3
 */
export async function decodeMembers(file: Uint8Array, maxBytes: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let left = maxBytes
  for (let start = findMemberData(file, 0); start !== undefined;) {
    if (parts.length === MAX_MEMBERS) return undefined
    const { data, readBytes } = await inflate(file.subarray(start), Math.max(1, left))
    parts.push(data)
    left -= data.length
    start = findMemberData(file, start + readBytes + TRAILER_BYTES)
  }
  return parts.length === 0 ? undefined : Buffer.concat(parts)
}

/** Returns the place of the compressed data of the member that begins at a place; undefined if none does. */
export function findMemberData(file: Uint8Array, from: number): number | undefined {
  if (file[from] !== 0x1f || file[from + 1] !== 0x8b || file[from + 2] !== 0x08) return undefined
  const flags = file[from + 3] ?? 0
  let at = from + 10
  if (flags & EXTRA) at += 2 + (file[at] ?? 0) + (file[at + 1] ?? 0) * 256
  for (const text of [NAME, COMMENT]) {
    if (!(flags & text)) continue
    const end = file.indexOf(0, at)
    if (end === -1) return undefined
    at = end + 1
  }
  return flags & HEADER_CHECK ? at + 2 : at
}

/** Result of `zlib.inflateRaw` with `info`, which the types of Node do not have. */
interface Inflated {
  readonly buffer: Buffer
  readonly engine: zlib.InflateRaw
}

function inflate(
  bytes: Uint8Array,
  maxOutputLength: number,
): Promise<{ readonly data: Uint8Array; readonly readBytes: number }> {
  const options = { info: true, maxOutputLength, finishFlush: zlib.constants.Z_SYNC_FLUSH }
  return new Promise((resolve, reject) => {
    zlib.inflateRaw(bytes, options, (error, result) => {
      if (error) return reject(error)
      const { buffer, engine } = result as unknown as Inflated
      resolve({ data: buffer, readBytes: engine.bytesWritten })
    })
  })
}
