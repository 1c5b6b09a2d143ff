import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, brotliDecompressSync, constants } from 'node:zlib'

const compressBrotli = promisify(brotliCompress)
const decompressBrotli = promisify(brotliDecompress)

/** An encoding of stored bytes: brotli (RFC 7932), or none. */
export type Compression = 'br' | 'raw'

/** Minimum size to compress: for less, a task in the thread pool costs more than it saves. Bytes. */
const MIN_BYTES = 512
/**
 * Maximum ratio of compressed to original size. Anything else, such as an image, is stored as it is, and not
 * decompressed on each read for a gain of less than 5 %.
 */
const MAX_PACKED_RATIO = 0.95

/**
 * Compresses bytes in the thread pool.
 *
 * Of the algorithms in `node:zlib` on every Node since 20, brotli at quality 4 makes pages smaller than gzip at 6, in
 * less time. zstd is faster than both, but missing in Node 20, which may read the same folder.
 */
export async function pack(bytes: Uint8Array): Promise<{ packing: Compression; packed: Uint8Array }> {
  if (bytes.length < MIN_BYTES) return { packing: 'raw', packed: bytes }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const packed = await compressBrotli(bytes, { params })
  return packed.length < bytes.length * MAX_PACKED_RATIO ? { packing: 'br', packed } : { packing: 'raw', packed: bytes }
}

/**
 * Sizes up to which decompressing takes less time than handing the task to another thread. Bytes, packed and unpacked.
 */
const MAX_INLINE_BYTES = { packed: 32 * 1024, bytes: 256 * 1024 }

/**
 * Reverses `pack`. @param maxBytes maximum size of the result @throws Error when the bytes are damaged, or the result
 * is larger
 */
export async function unpack(packing: Compression, packed: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  if (packing === 'raw') return packed
  if (packed.length <= MAX_INLINE_BYTES.packed) {
    try {
      return brotliDecompressSync(packed, { maxOutputLength: Math.max(1, Math.min(maxBytes, MAX_INLINE_BYTES.bytes)) })
    } catch (error) {
      const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      if (!isLarge || maxBytes <= MAX_INLINE_BYTES.bytes) throw error
    }
  }
  return await decompressBrotli(packed, { maxOutputLength: Math.max(1, maxBytes) })
}
