import { constants, inflateSync } from 'node:zlib'
import { disable, findStreams, PACKED } from './find-streams.js'

/** Maximum number of code points that the ranges of one map include: as many as Unicode has. */
const MAX_CODE_POINTS = 1_114_112
/** Maximum unpacked size of a map; real ones are smaller. */
const MAX_MAP_BYTES = 4 * 2 ** 20
/** Number of unpacked bytes that are read to tell if a stream is a map. */
const HEAD_BYTES = 256
/**
 * Removes broken and oversized CMaps, which map character codes to Unicode or to glyphs, from a PDF file. A few bytes
 * can ask for sixteen million entries, which the library lists in one step that no memory limit of a thread ends: the
 * host process would run out of memory.
 *
 * Encrypted maps are not recognised.
 *
 * @returns the file itself when there is none
 * @see ISO 32000-1 section 9.10.3
 */
export function limitMaps(body: Uint8Array): Uint8Array {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let limited: Buffer | undefined
  for (const stream of findStreams(file)) {
    const { description, data } = stream
    const isPacked = description.includes(PACKED)
    if (!isPacked && description.includes('/Filter')) continue
    if (!isMap(data, isPacked)) continue
    const text = isPacked ? unpack(data) : data.subarray(0, MAX_MAP_BYTES).toString('latin1')
    if (text !== undefined && countCodePoints(text) <= MAX_CODE_POINTS) continue
    limited ??= Buffer.from(file)
    if (isPacked) disable(limited, stream)
    else limited.fill(' ', stream.from, stream.from + data.length)
  }
  return limited ?? body
}

function isMap(data: Buffer, isPacked: boolean): boolean {
  const shows = (text = ''): boolean => /begincmap|CIDInit|codespacerange|begin(?:bf|cid)/.test(text)
  if (!isPacked) return shows(data.toString('latin1', 0, HEAD_BYTES))
  // A stream whose data is damaged after its start can still be recognized.
  return [HEAD_BYTES, HEAD_BYTES / 4].some((length) => shows(unpack(data.subarray(0, length))))
}

/** Unpacks a map; undefined if it is broken or too long, as the library reads on in such data and may find anything. */
function unpack(data: Buffer): string | undefined {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_MAP_BYTES }
  try {
    return inflateSync(data, options).toString('latin1')
  } catch {
    return undefined
  }
}

/** Counts the code points that the ranges of a map include. */
function countCodePoints(text: string): number {
  let signs = 0
  for (const [, ranges = ''] of text.matchAll(/begin(?:bf|cid)range(.*?)(?:end|begin|$)/gs))
    for (const [, low = '', high = ''] of ranges.matchAll(/<([^<>]{0,40})>\s{0,40}<([^<>]{0,40})>\s{0,40}[<[\d]/g))
      signs += Math.max(0, codeOf(high) - codeOf(low) + 1)
  return signs
}

/** Parses a code as the library does: two digits per byte, of the last four bytes. */
function codeOf(digits: string): number {
  const bytes = digits.replace(/[^\da-f]/gi, '')
  return Number.parseInt(bytes.slice(0, bytes.length & ~1).slice(-8) || '0', 16)
}
