import { constants, inflateSync } from 'node:zlib'

/** Signs that the maps of one stream may name: there are no more in all scripts together. */
const MOST_SIGNS = 1_114_112
/** A map that is longer than this when it is unpacked is none that anybody made. */
const MOST_MAP_BYTES = 4 * 2 ** 20
/** So much of a stream shows what it is. */
const HEAD_BYTES = 256
/** How far back the description of a stream is looked for. */
const DESCRIPTION_BYTES = 600

const STREAM = Buffer.from('stream')
const END = Buffer.from('endstream')
const PACKED = '/FlateDecode'
/** Of the same length, and no way of packing that there is. */
const UNKNOWN = '/XlateDecode'

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
  let end = -1
  for (let at = file.indexOf(STREAM); at >= 0; at = file.indexOf(STREAM, at + STREAM.length)) {
    const from = beginOf(file, at)
    if (from === undefined) continue
    const descriptionAt = Math.max(0, at - DESCRIPTION_BYTES)
    const description = /(?:.*\bobj\b)?(.*)$/s.exec(file.toString('latin1', descriptionAt, at))?.[1] ?? ''
    const isPacked = description.includes(PACKED)
    if (!isPacked && description.includes('/Filter')) continue
    if (end < from) end = file.indexOf(END, from)
    if (end < 0) end = file.length
    const data = file.subarray(from, end)
    if (!isMap(data, isPacked)) continue
    const text = isPacked ? unpack(data) : data.subarray(0, MOST_MAP_BYTES).toString('latin1')
    if (text !== undefined && countSigns(text) <= MOST_SIGNS) continue
    limited ??= Buffer.from(file)
    if (isPacked) limited.write(UNKNOWN, at - description.length + description.lastIndexOf(PACKED), 'latin1')
    else limited.fill(' ', from, from + data.length)
  }
  return limited ?? body
}

/** Where the bytes of a stream begin; undefined for a word that begins none. @see ISO 32000-1 section 7.3.8 */
function beginOf(file: Buffer, at: number): number | undefined {
  if (file.toString('latin1', at - 3, at) === 'end') return undefined
  const [next, after] = [file[at + STREAM.length], file[at + STREAM.length + 1]]
  if (next === 10) return at + STREAM.length + 1
  return next === 13 ? at + STREAM.length + (after === 10 ? 2 : 1) : undefined
}

function isMap(data: Buffer, isPacked: boolean): boolean {
  const shows = (text = ''): boolean => /begincmap|CIDInit|codespacerange|begin(?:bf|cid)/.test(text)
  if (!isPacked) return shows(data.toString('latin1', 0, HEAD_BYTES))
  // What is broken further on may still show what it is.
  return [HEAD_BYTES, HEAD_BYTES / 4].some((length) => shows(unpack(data.subarray(0, length))))
}

/** Undefined for what is broken or too long: the library reads on where nobody else does, and finds whatever is there. */
function unpack(data: Buffer): string | undefined {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_MAP_BYTES }
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
