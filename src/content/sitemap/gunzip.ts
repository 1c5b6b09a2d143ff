import { constants, createInflateRaw } from 'node:zlib'

// Size of a decompressed chunk. Small, because Node discards the chunk in which it finds an error. Bytes.
const PIECE_BYTES = 16_384

/**
 * Maximum number of concatenated gzip members in a file. An empty member has 20 bytes and takes as long as any other,
 * so that their number must be limited.
 */
const MAX_MEMBERS = 1000

export const isGzip = (body: Uint8Array, at = 0): boolean => body[at] === 0x1f && body[at + 1] === 0x8b

/**
 * Decompresses as much of a gzip file as is readable, in chunks.
 *
 * `createGunzip` fails on faults that occur on real sites, such as a comment that a cache appends, and then discards
 * its last chunk, which is all of a small file. This function ignores trailing data and checksums, and returns
 * everything before a truncation.
 *
 * @throws Error when the data is not deflate, or there are too many members
 * @see RFC 1952
 */
export async function* gunzip(body: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0, members = 1; isGzip(body, at); members++) {
    if (members > MAX_MEMBERS) throw new Error(`more than ${MAX_MEMBERS} members`)
    const start = skipHeader(body, at)
    const inflate = createInflateRaw({ chunkSize: PIECE_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
    inflate.end(body.subarray(start))
    for await (const piece of inflate) yield piece as Uint8Array
    const trailerBytes = 8
    at = start + inflate.bytesWritten + trailerBytes
  }
}

/** Returns the start of the member's deflate data. */
function skipHeader(body: Uint8Array, at: number): number {
  const flags = body[at + 3] ?? 0
  const has = (flag: number): boolean => (flags & flag) !== 0
  const skipText = (from: number): number => {
    const end = body.indexOf(0, from)
    return end < 0 ? body.byteLength : end + 1
  }
  let start = at + 10
  if (has(0x04)) start += 2 + (body[start] ?? 0) + 256 * (body[start + 1] ?? 0)
  if (has(0x08)) start = skipText(start)
  if (has(0x10)) start = skipText(start)
  return has(0x02) ? start + 2 : start
}
