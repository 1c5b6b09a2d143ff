/** What is told of an RTF file while it is read. */
export interface RtfListener {
  open(): void
  close(): void
  /** A control word or sign: `par`, `b`, `~`; its number where it has one. */
  control(word: string, number: number | undefined): void
  /** Bytes of text, each as a letter, in whatever code page holds. */
  text(bytes: string): void
  /** Whether so much was made of the file that the rest is not read. */
  readonly isFull: boolean
}

const TOKEN = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n\\]/gy

/**
 * Reads an RTF file from its start to its end, once.
 *
 * @see Rich Text Format Specification 1.9.1
 */
export function scanRtf(source: string, listener: RtfListener): void {
  // One regular expression with a place of its own, so that binary data can be jumped over.
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
