import { constants, inflateSync } from 'node:zlib'
import { disable, findStreams, PACKED } from './find-streams.js'

/** Bytes of a stream when it is unpacked, at most: drawings of maps have 50 million. */
const MAX_STREAM_BYTES = 64 * 2 ** 20
/** Bytes of a packed stream that cannot be more than that when it is unpacked: the format packs to a thousandth at best. */
const MIN_PACKED_BYTES = MAX_STREAM_BYTES / 1100

/** A file without the streams that are too long when they are unpacked, and how many there were. */
export interface LimitedFile {
  /** The file itself when there are none. */
  readonly body: Uint8Array
  readonly tooLong: number
}

/**
 * Leaves out the packed streams of a PDF file that unpack to more than a page has: the library unpacks each as a whole, and a file
 * of 300 KB can hold one of 300 MB.
 *
 * Encrypted streams, and those that are packed in other ways, are not seen.
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
    // What is broken unpacks to what there is before.
    return error instanceof RangeError
  }
}
