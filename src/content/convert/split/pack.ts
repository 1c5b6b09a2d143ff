import type { Weigh } from './estimate-tokens.js'

/** Limits of the pieces of a text. */
export interface PieceLimits {
  /** Maximum weight of a pack, in tenths of a token. */
  readonly limit: number
  readonly weigh: Weigh
  /** Splits the text at `index`, which is too large by itself. */
  split(text: string, index: number): readonly string[]
}

/** Options of {@link packTexts}. */
interface Packing extends PieceLimits {
  readonly separator: string
}

/**
 * Joins texts in order, as many at a time as fit. Each text is weighed once: weighing the growing packs would take
 * quadratic time.
 */
export function packTexts(texts: readonly string[], { separator, limit, weigh, split }: Packing): string[] {
  const packs: string[][] = []
  const between = weigh(separator)
  let weight = Infinity
  const add = (text: string, own: number, isNew: boolean): void => {
    if (!isNew && weight + between + own <= limit) {
      packs.at(-1)?.push(text)
      weight += between + own
    } else {
      packs.push([text])
      weight = own
    }
  }
  for (const [index, text] of texts.entries()) {
    const own = weigh(text, limit)
    if (own <= limit) add(text, own, false)
    // Its pieces are packed already. Joining them again would lose their separators.
    else for (const [at, piece] of split(text, index).entries()) add(piece, weigh(piece), at > 0)
  }
  return packs.map((parts) => parts.join(separator))
}
