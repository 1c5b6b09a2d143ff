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

const TOKEN = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n\\]/y

/** Begins a token that is no text. */
const SPECIAL = /[\\{}\r\n]/g

/**
 * Scans an RTF file in one pass. Texts are found by their end: an expression that repeats itself over a text of some megabytes
 * overflows the stack.
 *
 * @see Rich Text Format Specification 1.9.1
 */
export function scanRtf(source: string, listener: RtfListener): void {
  // Copies of the expressions with a `lastIndex` of their own, so that binary data can be skipped.
  const [token, special] = [new RegExp(TOKEN), new RegExp(SPECIAL)]
  for (let at = 0; at < source.length && !listener.isFull;) {
    special.lastIndex = at
    const end = special.exec(source)?.index ?? source.length
    if (end > at) listener.text(source.slice(at, end))
    if (listener.isFull) return
    token.lastIndex = end
    const match = token.exec(source)
    if (match === null) return
    at = token.lastIndex
    const [, word, number, hex, sign, brace] = match
    if (word !== undefined) {
      const value = number === undefined ? undefined : Number(number)
      if (word === 'bin') at += Math.max(0, Math.min(value ?? 0, source.length))
      else listener.control(word, value)
    } else if (hex !== undefined) listener.text(String.fromCharCode(Number.parseInt(hex, 16)))
    else if (brace === '{') listener.open()
    else if (brace === '}') listener.close()
    else if (sign !== undefined) listener.control(sign, undefined)
  }
}
