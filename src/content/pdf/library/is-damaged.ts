/** Number of bytes at the end of a file that are searched for its trailer, as some programs append data. */
const TAIL_BYTES = 2048
/** Number of bytes at the start of a file that are searched for its header. */
const HEAD_BYTES = 1024
/** Number of bytes that are read to recognize a cross-reference table. */
const LIST_BYTES = 64

/**
 * Tests if the end of a PDF file is missing, or its cross-reference table is not where the trailer says. The library
 * then searches for the objects itself, without reporting missing ones.
 *
 * @see ISO 32000-1 section 7.5.5
 */
export function isDamaged(body: Uint8Array): boolean {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let end = file.length
  while (end > 0 && isBlank(file[end - 1])) end -= 1
  const tail = file.toString('latin1', Math.max(0, end - TAIL_BYTES), end)
  const place = /^startxref\s{0,20}(\d{1,12})/.exec(tail.slice(Math.max(0, tail.lastIndexOf('startxref'))))?.[1]
  if (place === undefined) return true
  const start = Math.max(0, file.subarray(0, HEAD_BYTES).indexOf('%PDF-'))
  return ![0, start].some((shift) => {
    const at = parseInt(place, 10) + shift
    return /^\s{0,20}(?:xref|\d{1,10}\s{1,5}\d{1,5}\s{1,5}obj)/.test(file.toString('latin1', at, at + LIST_BYTES))
  })
}

const isBlank = (byte = 0): boolean => byte === 0 || byte === 10 || byte === 13 || byte === 32
