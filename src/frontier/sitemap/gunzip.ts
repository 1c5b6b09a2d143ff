import { constants, createInflateRaw } from 'node:zlib'

// Node gives nothing of the piece in which it finds a fault, so the pieces are small.
const PIECE_BYTES = 16_384

/** Members that a file may have, one after the other: an empty one has 20 bytes, and takes as long as another. */
const MAX_MEMBERS = 1000

export const isGzip = (body: Uint8Array, at = 0): boolean => body[at] === 0x1f && body[at + 1] === 0x8b

/**
 * Decompresses gzip as far as it can be read, piece by piece.
 *
 * `createGunzip` fails on what sites do to their files, such as a comment that a cache writes after the data, and then
 * gives nothing of its last piece, which is all of a small file. Here what follows the data is passed over, checksums
 * are not looked at, and a file that was cut off gives all that it has.
 *
 * @throws Error where the data are not deflate, or there are too many members
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

/** Where the deflate data of the member begin. */
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
