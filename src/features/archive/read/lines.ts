/**
 * Splits a text into its lines, without their ends.
 *
 * @returns what is behind the last end of a line
 * @throws Error for a line that is longer than `maxBytes`
 */
export async function* splitLines(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes = 16 * 1024 * 1024,
): AsyncGenerator<string, string, undefined> {
  let rest = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const text: Buffer = Buffer.concat([rest, chunk])
    let from = 0
    for (let end = text.indexOf(10); end !== -1; end = text.indexOf(10, from)) {
      if (end - from > maxBytes) throw new Error('A line is too long')
      yield text.toString('utf8', from, end)
      from = end + 1
    }
    rest = Buffer.from(text.subarray(from))
    if (rest.length > maxBytes) throw new Error('A line is too long')
  }
  return rest.toString()
}

/** Splits a text into its lines, of which the last one may have no end. @throws Error as `splitLines` does */
export async function* allLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const last = yield* splitLines(bytes)
  if (last !== '') yield last
}
