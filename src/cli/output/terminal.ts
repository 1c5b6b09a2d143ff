import { clearLine, cursorTo } from 'node:readline'

/** A stream of the process: a terminal, a pipe or a file. */
export interface StandardStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

const DEFAULT_WIDTH = 80

/** Standard output for what was asked for, standard error for what is said about it. */
export class Terminal {
  readonly #out: StandardStream
  readonly #err: StandardStream
  #status = false

  constructor(out: StandardStream, err: StandardStream) {
    this.#out = out
    this.#err = err
    // Who reads may go at any time. Whoever prints is told by `print`; without a listener the process would crash.
    for (const stream of [out, err]) stream.on('error', () => undefined)
  }

  get width(): number {
    return this.#err.columns ?? this.#out.columns ?? DEFAULT_WIDTH
  }

  /** Whether a line on standard error can be drawn again and again without getting between what is printed. */
  canShowStatus(printsPages: boolean): boolean {
    return this.#err.isTTY === true && !(printsPages && this.#out.isTTY === true)
  }

  /**
   * Writes to standard output, and waits until it is taken: a slow reader slows down whoever prints.
   *
   * @throws the stream's error; see {@link isReaderGone}
   */
  print(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#out.write(this.#out.isTTY ? stripControls(text) : text, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Writes a line to standard error. */
  say(line: string): void {
    this.clearStatus()
    this.#err.write(`${stripControls(line.replaceAll('\n', ' '))}\n`)
  }

  /** Draws the status line, over the one before. */
  showStatus(line: string): void {
    cursorTo(this.#err, 0)
    this.#err.write(line.slice(0, this.width - 1))
    clearLine(this.#err, 1)
    this.#status = true
  }

  clearStatus(): void {
    if (!this.#status) return
    cursorTo(this.#err, 0)
    clearLine(this.#err, 1)
    this.#status = false
  }

  /** Waits until all that was said is on its way: the process may end then. */
  async flush(): Promise<void> {
    for (const stream of [this.#out, this.#err]) await new Promise((resolve) => stream.write('', () => resolve(null)))
  }
}

/** Whether what failed is a write to a reader that has gone, as `head` goes when it has seen enough. */
export const isReaderGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')

/** Pages and URLs come from strangers: what they hold must not steer the terminal. */
const stripControls = (text: string): string => text.replace(/(?![\n\t])\p{Cc}/gu, '')
