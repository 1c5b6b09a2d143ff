import type { Weigh } from './estimate-tokens.js'

/** How texts are put together. */
export interface Packing {
  readonly separator: string
  /** The most that a pack weighs, in tenths of a token. */
  readonly limit: number
  readonly weigh: Weigh
  /** Takes apart the text at `index`, which is too large by itself. */
  split(text: string, index: number): readonly string[]
}

/**
 * Texts joined in order, as many at a time as fit. Each is weighed once: weighing the packs as they grow would be
 * quadratic.
 */
export function pack(texts: readonly string[], { separator, limit, weigh, split }: Packing): string[] {
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
    const own = weigh(text)
    if (own <= limit) add(text, own, false)
    // Its pieces are packed already: put together again, they would lose what they were parted by.
    else for (const [at, piece] of split(text, index).entries()) add(piece, weigh(piece), at > 0)
  }
  return packs.map((parts) => parts.join(separator))
}
