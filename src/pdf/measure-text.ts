import type { PageText } from './page-text.js'

/** What is usual in a file: everything else is told by how it differs. */
export interface Usual {
  /** The size of its running text. */
  readonly size: number
  /** From one baseline of it to the next, in sizes. */
  readonly leading: number
  /** Whether nearly all of it is in fonts of one width: that is no code then. */
  readonly isMono: boolean
  /** How often each word occurs, in lower case. */
  readonly words: ReadonlyMap<string, number>
}

/** Words of a file that are counted. */
const MOST_WORDS = 200_000

/** Measures what is usual in a file. */
export function measureText(pages: readonly PageText[]): Usual {
  const { size, isMono } = measureSize(pages)
  const leadings = new Map<number, number>()
  const words = new Map<string, number>()
  for (const { regions } of pages) {
    for (const { lines } of regions) {
      lines.forEach((line, index) => {
        for (const word of line.text.toLowerCase().match(/\p{L}+(?:-\p{L}+)*(?![-\p{L}])/gu) ?? [])
          if (words.size < MOST_WORDS || words.has(word)) words.set(word, (words.get(word) ?? 0) + 1)
        const before = lines[index - 1]
        if (
          before === undefined ||
          line.row !== undefined ||
          !isClose(line.size, size) ||
          !isClose(before.size, size) ||
          line.isMono
        )
          return
        const leading = Math.round(((line.y - before.y) / size) * 20) / 20
        if (leading > 0.8 && leading < 2.5) leadings.set(leading, (leadings.get(leading) ?? 0) + 1)
      })
    }
  }
  return { size, isMono, leading: mostFrequent(leadings) ?? 1.2, words }
}

/** Whether two sizes are one: what is measured is not exact. */
export const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 0.05 * Math.max(a, b)

/** The size that most text has, of what is in a font of one width only where there is little else. */
function measureSize(pages: readonly PageText[]): Pick<Usual, 'size' | 'isMono'> {
  const [plain, mono] = [new Map<number, number>(), new Map<number, number>()]
  for (const { regions } of pages) {
    for (const { text, size, isMono } of regions.flatMap(({ lines }) => lines)) {
      const rounded = Math.round(size * 4) / 4
      const counted = isMono ? mono : plain
      counted.set(rounded, (counted.get(rounded) ?? 0) + text.length)
    }
  }
  const isMono = sum(mono) > 4 * sum(plain)
  return { size: mostFrequent(isMono ? mono : plain) ?? 10, isMono }
}

const sum = (counts: ReadonlyMap<number, number>): number => [...counts.values()].reduce((all, one) => all + one, 0)

function mostFrequent(counts: ReadonlyMap<number, number>): number | undefined {
  let [best, most] = [undefined as number | undefined, 0]
  for (const [value, count] of counts) if (count > most) [best, most] = [value, count]
  return best
}
