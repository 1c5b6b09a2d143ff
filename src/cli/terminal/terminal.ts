import { clearLine, cursorTo } from 'node:readline'

/** A standard stream: a terminal, a pipe or a file. */
export interface StandardStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

const DEFAULT_WIDTH = 80
const DEFAULT_HEIGHT = 24

/** Sequences of ECMA-48 and of xterm, which all terminals of the last decades know. */
const HIDE_CURSOR = '\u001b[?25l'
const SHOW_CURSOR = '\u001b[?25h'
const CLEAR_TO_END_OF_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

/** Standard output for results, and standard error for messages. */
export class Terminal {
  readonly #out: StandardStream
  readonly #err: StandardStream
  #hasStatus = false
  #isJson = false
  /** Lines of the view that are on the screen. */
  #view: readonly string[] = []

  constructor(out: StandardStream, err: StandardStream) {
    this.#out = out
    this.#err = err
    // A reader may close a stream at any time, which would end a process without a listener. `print` reports it to its
    // caller.
    for (const stream of [out, err]) stream.on('error', () => undefined)
  }

  /** Writes messages as JSON from now on, one object a line, and shows no status line. */
  useJson(): void {
    this.#isJson = true
  }

  /** True when messages are JSON. */
  get isJson(): boolean {
    return this.#isJson
  }

  /** Width in characters. @default 80 */
  get width(): number {
    // Some pseudo-terminals have 0 columns and 0 rows: their size is unknown.
    return this.#err.columns || this.#out.columns || DEFAULT_WIDTH
  }

  /** Size of the terminal, in characters. @default 80 by 24 */
  get size(): { readonly width: number; readonly height: number } {
    return { width: this.width, height: this.#err.rows || DEFAULT_HEIGHT }
  }

  /** Returns true if pages are printed to the terminal that messages are shown in. */
  isShared(printsPages: boolean): boolean {
    return this.#err.isTTY === true && !this.#isJson && printsPages && this.#out.isTTY === true
  }

  /** Returns true if standard error can show a status line that does not mix with the output. */
  canShowStatus(printsPages: boolean): boolean {
    return this.#err.isTTY === true && !this.#isJson && !(printsPages && this.#out.isTTY === true)
  }

  /**
   * Writes to standard output, and waits until the data is consumed, so that a slow reader slows down the caller.
   *
   * @throws the stream's error; see {@link isReaderGone}
   */
  print(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#out.write(this.#out.isTTY ? stripControls(text) : text, (error) => (error ? reject(error) : resolve()))
    })
  }

  /**
   * Writes a line for people to standard output, also into a pipe, which may end in a terminal: see {@link toPlainLine}. Waits as
   * {@link Terminal.print}.
   */
  printLine(line: string): Promise<void> {
    return this.print(`${toPlainLine(line)}\n`)
  }

  /** Writes a line to standard error; as `{"note": line}` when messages are JSON. */
  report(line: string): void {
    if (this.#isJson) return this.reportJson({ note: line })
    this.clearStatus()
    const plain = toPlainLine(line)
    this.#err.write(`${this.#err.isTTY === true ? wrapLine(plain, this.width) : plain}\n`)
  }

  /** Writes an object to standard error, as one line of JSON. */
  reportJson(message: object): void {
    this.clearStatus()
    // JSON escapes no control characters above U+001F.
    this.#err.write(`${JSON.stringify(message).replace(CONTROLS, escapeControl)}\n`)
  }

  /** Draws the status line over the previous one. */
  showStatus(line: string): void {
    cursorTo(this.#err, 0)
    this.#err.write(toPlainLine(line).slice(0, this.width - 1))
    clearLine(this.#err, 1)
    this.#hasStatus = true
  }

  /**
   * Draws lines over those that were drawn before, and hides the cursor until they are removed. They must be narrower and fewer than
   * the terminal.
   */
  showView(given: readonly string[]): void {
    const lines = given.map(toPlainLine)
    const start = this.#view.length === 0 ? HIDE_CURSOR : this.#toStartOfView()
    this.#err.write(`${start}${lines.map((line) => `${line}${CLEAR_TO_END_OF_LINE}\n`).join('')}${CLEAR_BELOW}`)
    this.#view = lines
  }

  /** Calls a function when the size of the terminal changes. @returns a function that ends this */
  onResize(listener: () => void): () => void {
    this.#err.on('resize', listener)
    return () => void this.#err.removeListener('resize', listener)
  }

  /** Moves the cursor to the first line of the view. A terminal that has become narrower has wrapped its lines. */
  #toStartOfView(): string {
    const rows = this.#view.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / this.width)), 0)
    return `\u001b[${rows}A\r`
  }

  /** Removes the status line or the view, if there is one, and shows the cursor. */
  clearStatus(): void {
    if (this.#view.length > 0) {
      this.#err.write(`${this.#toStartOfView()}${CLEAR_BELOW}${SHOW_CURSOR}`)
      this.#view = []
    }
    if (!this.#hasStatus) return
    cursorTo(this.#err, 0)
    clearLine(this.#err, 1)
    this.#hasStatus = false
  }

  /** Waits until everything is written, before the process exits. */
  async flush(): Promise<void> {
    for (const stream of [this.#out, this.#err]) await new Promise((resolve) => stream.write('', () => resolve(null)))
  }
}

/** Breaks a line between words, where a terminal would break it within one. Further lines are indented as the first one, and more. */
function wrapLine(line: string, width: number): string {
  const indent = `${/^ */.exec(line)?.[0] ?? ''}  `
  const lines = ['']
  for (const [at, word] of line.split(' ').entries()) {
    const last = lines.at(-1) ?? ''
    if (at > 0 && last.trim() !== '' && last.length + 1 + word.length >= width) lines.push(`${indent}${word}`)
    else lines[lines.length - 1] = at === 0 ? word : `${last} ${word}`
  }
  return lines.join('\n')
}

/** Returns true for a failed write to a closed reader, such as `head`. */
export const isReaderGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')

/**
 * Removes control characters, because pages and URLs come from strangers and must not control the terminal, nor the order in
 * which it shows the characters of a line.
 */
const stripControls = (text: string): string =>
  text.replace(CONTROLS, (character) => (character === '\n' || character === '\t' ? character : ''))

const escapeControl = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Characters that end a line or move to a column: replaced by a space. */
const BREAKS = /[\t-\r\u0085\u2028\u2029]+/g
/** Characters that control a terminal, or the order in which it shows others: left out. @see https://www.unicode.org/reports/tr9/ */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Makes one line of a text that may come from strangers, without anything that could control the terminal that shows it. */
const toPlainLine = (text: string): string => text.replace(BREAKS, ' ').replace(CONTROLS, '')
