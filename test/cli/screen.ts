import { Writable } from 'node:stream'

/** Begins each sequence. */
const START = '\u001b['

/** A terminal in memory: it carries out the sequences that the command line writes, and fails for any other. */
export class Screen extends Writable {
  readonly isTTY = true
  columns: number
  rows: number
  /** Lines of the screen and of what has scrolled away, top first. */
  readonly lines: string[] = ['']
  isCursorVisible = true
  #row = 0
  #column = 0

  constructor(columns = 80, rows = 24) {
    super({ decodeStrings: false })
    this.columns = columns
    this.rows = rows
  }

  override _write(chunk: string, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    try {
      for (let rest = chunk; rest !== '';) rest = rest.slice(this.#carryOut(rest))
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  /** All lines, without empty ones at the end. */
  get text(): string {
    return this.lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd()
  }

  /** Changes the size, and tells the program. */
  resize(columns: number): void {
    this.columns = columns
    this.emit('resize')
  }

  /** @returns the number of characters that were carried out */
  #carryOut(text: string): number {
    if (!text.startsWith(START)) return this.#print(text[0] ?? '')
    const [sequence = '', count = '', command = ''] = /^(\??\d*)([A-Za-z])/.exec(text.slice(START.length)) ?? []
    if (count === '?25') this.isCursorVisible = command === 'h'
    else if (command === 'A') this.#row = Math.max(0, this.#row - Number(count))
    else if (command === 'G') this.#column = Number(count) - 1
    else if (command === 'K') this.lines[this.#row] = this.#line.slice(0, this.#column)
    else if (command === 'J') {
      this.lines[this.#row] = this.#line.slice(0, this.#column)
      this.lines.length = this.#row + 1
    } else throw new Error(`the screen does not know ${JSON.stringify(sequence)}`)
    return START.length + sequence.length
  }

  get #line(): string {
    return this.lines[this.#row] ?? ''
  }

  #print(character: string): number {
    if (character === '\r') this.#column = 0
    else if (character === '\n') {
      this.#row += 1
      this.#column = 0
      this.lines[this.#row] ??= ''
    } else if (character < ' ' || character > '~') throw new Error(`the screen got ${JSON.stringify(character)}`)
    else {
      if (this.#column >= this.columns) this.#print('\n')
      this.lines[this.#row] =
        `${this.#line.padEnd(this.#column).slice(0, this.#column)}${character}${this.#line.slice(this.#column + 1)}`
      this.#column += 1
    }
    return 1
  }
}
