import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, brotliDecompressSync, constants } from 'node:zlib'

const compressBrotli = promisify(brotliCompress)
const decompressBrotli = promisify(brotliDecompress)

/** How bytes are packed: by brotli (RFC 7932), or as they are. */
export type Packing = 'br' | 'raw'

/** Less than this is not worth a thread's turn. Bytes. */
const MIN_BYTES = 512
/** What does not become smaller by a twentieth, a picture say, is not unpacked at each reading for it. */
const MIN_GAIN = 0.95

/**
 * Packs bytes, away from the caller's thread.
 *
 * Brotli at 4, of what `node:zlib` has on every Node from 20 on, makes pages smaller than gzip at 6 in less time; zstd is
 * faster than both, but missing in Node 20, which may read the same folder.
 */
export async function pack(bytes: Uint8Array): Promise<{ packing: Packing; packed: Uint8Array }> {
  if (bytes.length < MIN_BYTES) return { packing: 'raw', packed: bytes }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const packed = await compressBrotli(bytes, { params })
  return packed.length < bytes.length * MIN_GAIN ? { packing: 'br', packed } : { packing: 'raw', packed: bytes }
}

/** So much is unpacked in less time than it takes to hand it to another thread. Bytes, packed and unpacked. */
const SMALL = { packed: 32 * 1024, bytes: 256 * 1024 }

/** Undoes `pack`. @param maxBytes what it may come to @throws Error for what is damaged, or comes to more */
export async function unpack(packing: Packing, packed: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  if (packing === 'raw') return packed
  if (packed.length <= SMALL.packed) {
    try {
      return brotliDecompressSync(packed, { maxOutputLength: Math.max(1, Math.min(maxBytes, SMALL.bytes)) })
    } catch (error) {
      const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      if (!isLarge || maxBytes <= SMALL.bytes) throw error
    }
  }
  return await decompressBrotli(packed, { maxOutputLength: Math.max(1, maxBytes) })
}
