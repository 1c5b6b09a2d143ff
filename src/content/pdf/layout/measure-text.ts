import type { Line, PdfPageText } from '../page-text.js'

/** Typical properties of a file's text. Headings and footnotes are recognized by their difference from it. */
export interface TypicalText {
  /** Font size of the running text. */
  readonly size: number
  /** Line spacing, in font sizes. */
  readonly leading: number
  /** True if nearly all text is monospaced, which then does not mean code. */
  readonly isMono: boolean
  /** Frequency of each word, in lower case. */
  readonly words: ReadonlyMap<string, number>
}

/** Maximum number of distinct words that are counted; further ones are ignored. */
const MAX_WORDS = 200_000

/** Measures the typical text of a file page by page, without keeping pages. */
export class TextMeasure {
  readonly #words = new Map<string, number>()
  /** Number of characters by font size, for monospaced and other text. */
  readonly #sizes = { plain: new Map<number, number>(), mono: new Map<number, number>() }
  /** Line spacings by the font sizes of both lines. */
  readonly #steps = new Map<string, Steps>()

  add({ regions }: PdfPageText): void {
    for (const { lines } of regions) {
      lines.forEach((line, index) => {
        this.#count(line)
        const before = lines[index - 1]
        if (before !== undefined && line.row === undefined && !line.isMono) this.#step(before, line)
      })
    }
  }

  #count({ text, size, isMono }: Line): void {
    for (const word of text.toLowerCase().match(/\p{L}+(?:-\p{L}+)*(?![-\p{L}])/gu) ?? [])
      if (this.#words.size < MAX_WORDS || this.#words.has(word)) countIn(this.#words, word)
    countIn(isMono ? this.#sizes.mono : this.#sizes.plain, Math.round(size * 4) / 4, text.length)
  }

  #step(before: Line, line: Line): void {
    if (line.y <= before.y || line.y - before.y > 3 * line.size) return
    const key = `${before.size} ${line.size}`
    const steps = this.#steps.get(key) ?? { sizes: [before.size, line.size], heights: new Map<number, number>() }
    this.#steps.set(key, steps)
    // Rounded to a precision finer than typesetting, so that equal spacings are counted together.
    countIn(steps.heights, Math.round((line.y - before.y) * 1000) / 1000)
  }

  /**
   * Returns the typical properties of the pages measured so far. Monospaced text counts only if there is little else.
   */
  usual(): TypicalText {
    const { plain, mono } = this.#sizes
    const isMono = sum(mono) > 4 * sum(plain)
    const size = mostFrequent(isMono ? mono : plain) ?? 10
    const leadings = new Map<number, number>()
    for (const { sizes, heights } of this.#steps.values()) {
      if (!sizes.every((own) => isClose(own, size))) continue
      for (const [height, times] of heights) {
        const leading = Math.round((height / size) * 20) / 20
        if (leading > 0.8 && leading < 2.5) countIn(leadings, leading, times)
      }
    }
    return { size, isMono, leading: mostFrequent(leadings) ?? 1.2, words: this.#words }
  }
}

interface Steps {
  readonly sizes: readonly number[]
  readonly heights: Map<number, number>
}

function countIn<Key>(counts: Map<Key, number>, key: Key, times = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + times)
}

/** Tests if two lengths are equal within the accuracy of positions in a file. */
export const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 0.05 * Math.max(a, b)

const sum = (counts: ReadonlyMap<number, number>): number => [...counts.values()].reduce((all, one) => all + one, 0)

function mostFrequent(counts: ReadonlyMap<number, number>): number | undefined {
  let [best, most] = [undefined as number | undefined, 0]
  for (const [value, count] of counts) if (count > most) [best, most] = [value, count]
  return best
}
