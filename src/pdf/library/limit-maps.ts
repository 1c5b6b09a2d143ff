import { constants, inflateSync } from 'node:zlib'
import { disable, findStreams, PACKED } from './find-streams.js'

/** Signs that the maps of one stream may name: there are no more in all scripts together. */
const MAX_SIGNS = 1_114_112
/** A map that is longer than this when it is unpacked is none that anybody made. */
const MAX_MAP_BYTES = 4 * 2 ** 20
/** So much of a stream shows what it is. */
const HEAD_BYTES = 256
/**
 * A PDF file without the maps from codes to signs that are broken, or name more signs than there are. A few bytes can ask for sixteen
 * million, and the library lists them all in one step that no limit of a thread's memory ends: the host's process would go with it.
 *
 * Encrypted maps are not seen.
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
    if (text !== undefined && countSigns(text) <= MAX_SIGNS) continue
    limited ??= Buffer.from(file)
    if (isPacked) disable(limited, stream)
    else limited.fill(' ', stream.from, stream.from + data.length)
  }
  return limited ?? body
}

function isMap(data: Buffer, isPacked: boolean): boolean {
  const shows = (text = ''): boolean => /begincmap|CIDInit|codespacerange|begin(?:bf|cid)/.test(text)
  if (!isPacked) return shows(data.toString('latin1', 0, HEAD_BYTES))
  // What is broken further on may still show what it is.
  return [HEAD_BYTES, HEAD_BYTES / 4].some((length) => shows(unpack(data.subarray(0, length))))
}

/** Undefined for what is broken or too long: the library reads on where nobody else does, and finds whatever is there. */
function unpack(data: Buffer): string | undefined {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_MAP_BYTES }
  try {
    return inflateSync(data, options).toString('latin1')
  } catch {
    return undefined
  }
}

/** Signs that the ranges of a map name. */
function countSigns(text: string): number {
  let signs = 0
  for (const [, ranges = ''] of text.matchAll(/begin(?:bf|cid)range(.*?)(?:end|begin|$)/gs))
    for (const [, low = '', high = ''] of ranges.matchAll(/<([^<>]{0,40})>\s{0,40}<([^<>]{0,40})>\s{0,40}[<[\d]/g))
      signs += Math.max(0, codeOf(high) - codeOf(low) + 1)
  return signs
}

/** A code as the library reads it: two digits for each byte, of the last four. */
function codeOf(digits: string): number {
  const bytes = digits.replace(/[^\da-f]/gi, '')
  return Number.parseInt(bytes.slice(0, bytes.length & ~1).slice(-8) || '0', 16)
}
