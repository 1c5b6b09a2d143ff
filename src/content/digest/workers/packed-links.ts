import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import type { FoundLink } from '../../extract/extracted-page.js'

/** The links of a page for a message between threads: a few strings in place of an object for each link. */
export type PackedLinks = readonly LinkBlock[]

/** Some hundred links. */
interface LinkBlock {
  /** URLs and texts, one behind the other. */
  readonly characters: string
  /** Lengths of the URL and the text of each link, by turns. */
  readonly lengths: Uint32Array
  /** Further fields of links, by their numbers in the block. Few have any. */
  readonly rest: readonly (readonly [number, Omit<FoundLink, 'url' | 'text'>])[]
}

/** Number of links from which on they are packed. */
export const PACKED_LINKS = 1000
/** Links of a block. Its string stays in memory as long as one of its links. */
const BLOCK_LINKS = 250

/** Packs links: 100,000 hold the thread that receives their objects for 100 ms. */
export function packLinks(links: readonly FoundLink[]): PackedLinks {
  const blocks: LinkBlock[] = []
  for (let from = 0; from < links.length; from += BLOCK_LINKS)
    blocks.push(packBlock(links.slice(from, from + BLOCK_LINKS)))
  return blocks
}

function packBlock(links: readonly FoundLink[]): LinkBlock {
  const parts = links.flatMap(({ url, text }) => [url, text])
  const rest = links.flatMap(({ url: _url, text: _text, ...others }, index) =>
    Object.keys(others).length === 0 ? [] : [[index, others] as const],
  )
  return { characters: parts.join(''), lengths: Uint32Array.from(parts, ({ length }) => length), rest }
}

/** Restores packed links, in slices. */
export async function unpackLinks(blocks: PackedLinks): Promise<FoundLink[]> {
  const links: FoundLink[] = []
  for (const { characters, lengths, rest } of blocks) {
    await yieldIfHeld()
    const others = new Map(rest)
    let at = 0
    const next = (length = 0): string => characters.slice(at, (at += length))
    for (let index = 0; index < lengths.length; index += 2) {
      const link = { url: next(lengths[index]), text: next(lengths[index + 1]) }
      const more = rest.length === 0 ? undefined : others.get(index / 2)
      links.push(more ? { ...link, ...more } : link)
    }
  }
  return links
}
