/** Maximum size of a line. Bytes. */
const MAX_LINE_BYTES = 16 * 1024 * 1024

/**
 * Splits a text into its lines, without their ends.
 *
 * @returns what is behind the last end of a line
 * @throws Error for a line that is longer than `maxBytes`
 */
export const splitLines = (
  bytes: AsyncIterable<Uint8Array>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<string, string, undefined> => split(bytes, (line) => line.toString(), maxBytes)

/** Splits a text into its lines, as bytes: a line that is torn within a character has other ones once it is read as text. */
export const splitBytes = (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, Buffer, undefined> =>
  split(bytes, (line) => line, MAX_LINE_BYTES)

/** Splits a text into its lines, of which the last one may have no end. @throws Error as `splitLines` does */
export async function* allLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const last = yield* splitLines(bytes)
  if (last !== '') yield last
}

async function* split<Line>(
  bytes: AsyncIterable<Uint8Array>,
  take: (line: Buffer) => Line,
  maxBytes: number,
): AsyncGenerator<Line, Line, undefined> {
  // A line that goes on is joined once: it may have many pieces.
  let parts: Buffer[] = []
  let held = 0
  const join = (last: Buffer): Buffer => {
    if (held + last.length > maxBytes) throw new Error('A line is too long')
    if (parts.length === 0) return last
    const line = Buffer.concat([...parts, last])
    parts = []
    held = 0
    return line
  }
  for await (const chunk of bytes) {
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let from = 0
    for (let end = text.indexOf(10); end !== -1; end = text.indexOf(10, from)) {
      yield take(join(text.subarray(from, end)))
      from = end + 1
    }
    if (from === text.length) continue
    // The source may use the memory of its piece again.
    parts.push(Buffer.from(text.subarray(from)))
    held += text.length - from
    if (held > maxBytes) throw new Error('A line is too long')
  }
  return take(join(Buffer.alloc(0)))
}
