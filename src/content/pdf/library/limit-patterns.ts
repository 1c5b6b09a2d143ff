const TYPE = Buffer.from('/PatternType')
const OBJECT = Buffer.from(' obj')
const STREAM = Buffer.from('stream')

/**
 * Disables the tiling patterns of a PDF file, by the number of their type. They show no text, but the library draws one to its end
 * before it goes on, also one that is filled with itself: it would never come to an end.
 *
 * Numbers that are stored as an object of their own are not recognised.
 *
 * @returns the file itself when there are none
 * @see ISO 32000-1 section 8.7.3
 */
export function limitPatterns(body: Uint8Array): Uint8Array {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let limited: Buffer | undefined
  let from = 0
  // Within the bytes of a stream the words are text.
  let isDescription = false
  for (let at = file.indexOf(TYPE); at >= 0; at = file.indexOf(TYPE, from)) {
    const between = file.subarray(from, at)
    const [object, stream] = [lastObject(between), between.lastIndexOf(STREAM)]
    if (object !== stream) isDescription = object > stream
    from = at + TYPE.length
    const number = /^\s{0,20}1(?!\d|\s+\d+\s+R)/.exec(file.toString('latin1', from, from + 60))
    if (!isDescription || number === null) continue
    limited ??= Buffer.from(file)
    limited.write('2', from + number[0].length - 1, 'latin1')
  }
  return limited ?? body
}

/** Returns where the last object begins, as in `7 0 obj`; -1 if there is none. */
function lastObject(bytes: Buffer): number {
  for (let at = bytes.lastIndexOf(OBJECT); at > 0; at = bytes.lastIndexOf(OBJECT, at - 1))
    if (isDigit(bytes[at - 1]) && !isLetter(bytes[at + OBJECT.length])) return at
  return -1
}

const isDigit = (byte = 0): boolean => byte >= 48 && byte <= 57
const isLetter = (byte = 0): boolean => (byte | 32) >= 97 && (byte | 32) <= 122
