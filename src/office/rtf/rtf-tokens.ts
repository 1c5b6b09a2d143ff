/** Receives the events of {@link scanRtf}. */
export interface RtfListener {
  open(): void
  close(): void
  /** Called for a control word or symbol, such as `par`, `b` or `~`, with its number if it has one. */
  control(word: string, number: number | undefined): void
  /** Called for bytes of text, one character each, in the current code page. */
  text(bytes: string): void
  /** True if the limit of output is reached and the rest is not read. */
  readonly isFull: boolean
}

const TOKEN = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n\\]/gy

/**
 * Scans an RTF file in one pass.
 *
 * @see Rich Text Format Specification 1.9.1
 */
export function scanRtf(source: string, listener: RtfListener): void {
  // A copy of the expression with its own `lastIndex`, so that binary data can be skipped.
  const token = new RegExp(TOKEN)
  for (let match = token.exec(source); match !== null && !listener.isFull; match = token.exec(source)) {
    const [, word, number, hex, sign, brace, text] = match
    if (text !== undefined) listener.text(text)
    else if (word !== undefined) {
      const value = number === undefined ? undefined : Number(number)
      if (word === 'bin') token.lastIndex += Math.max(0, Math.min(value ?? 0, source.length))
      else listener.control(word, value)
    } else if (hex !== undefined) listener.text(String.fromCharCode(Number.parseInt(hex, 16)))
    else if (brace === '{') listener.open()
    else if (brace === '}') listener.close()
    else if (sign !== undefined) listener.control(sign, undefined)
    if (token.lastIndex >= source.length) return
  }
}
