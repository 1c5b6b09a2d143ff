/** Bytes that are examined. Markup, names of fields and white space are ASCII in nearly any language. */
const EXAMINED_BYTES = 1024
/** Minimum number of bytes, because a few of them show nothing. */
const MIN_BYTES = 16
/** Share of characters in UTF-16 that must be ASCII: their other byte is zero. */
const MIN_ASCII = 0.6

const FIRST_PRINTABLE = 0x20
const DELETE = 0x7f

/**
 * Returns the byte order of UTF-16 text: by its byte order mark, or by zeros that are the first or the second byte of
 * most characters, and of none the other one. No text in another encoding has these.
 *
 * @returns undefined for text in another encoding, and for binary data
 */
export function findUtf16(body: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  // A zero is nearly always among the first bytes, and pages without any are not counted.
  if (body.length < MIN_BYTES || !body.subarray(0, MIN_BYTES).includes(0)) return undefined
  if (isAsciiInPairs(body, 0)) return 'utf-16le'
  return isAsciiInPairs(body, 1) ? 'utf-16be' : undefined
}

/** @param low index in each pair of bytes of the one that an ASCII character is in */
function isAsciiInPairs(body: Uint8Array, low: 0 | 1): boolean {
  const length = Math.min(body.length, EXAMINED_BYTES) & ~1
  let ascii = 0
  for (let at = 0; at < length; at += 2) {
    if (body[at + 1 - low] !== 0) continue
    const code = body[at + low] ?? 0
    const isText = (code >= FIRST_PRINTABLE && code !== DELETE) || code === 9 || code === 10 || code === 13
    if (!isText) return false
    ascii += 1
  }
  return ascii * 2 >= length * MIN_ASCII
}
