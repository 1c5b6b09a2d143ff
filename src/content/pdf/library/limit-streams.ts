import { constants, inflateSync } from 'node:zlib'
import { disable, findStreams, PACKED } from './find-streams.js'

/** Maximum unpacked size of a stream, in bytes: drawings of maps reach 50 million. */
const MAX_STREAM_BYTES = 64 * 2 ** 20
/** Packed size below which a stream cannot exceed the limit, as the format compresses to a thousandth at best. */
const MIN_PACKED_BYTES = MAX_STREAM_BYTES / 1100

/** File without oversized streams, and their number. */
interface LimitedFile {
  /** The file itself if there are none. */
  readonly body: Uint8Array
  readonly tooLong: number
}

/**
 * Disables oversized compressed streams of a PDF file. The library unpacks each stream as a whole, and a file of 300 KB
 * can hold one of 300 MB.
 *
 * Encrypted streams, and streams with other filters, are not recognised.
 */
export function limitStreams(body: Uint8Array): LimitedFile {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let limited: Buffer | undefined
  let tooLong = 0
  for (const stream of findStreams(file)) {
    const times = stream.description.split(PACKED).length - 1
    if (times === 0 || (times === 1 && stream.data.length < MIN_PACKED_BYTES)) continue
    if (!isTooLong(stream.data, times)) continue
    limited ??= Buffer.from(file)
    disable(limited, stream)
    tooLong += 1
  }
  return { body: limited ?? body, tooLong }
}

/** @param times how many times it is packed, one in the other */
function isTooLong(data: Buffer, times: number): boolean {
  let unpacked = data
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_STREAM_BYTES, chunkSize: 2 ** 20 }
  try {
    for (let left = times; left > 0; left--) unpacked = inflateSync(unpacked, options)
    return false
  } catch (error) {
    // Broken data unpacks to the part before the fault.
    return error instanceof RangeError
  }
}
