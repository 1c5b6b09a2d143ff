import { type ChildNode, isElement } from '../../html/tree.js'
import { type Block, type Region, isWithin } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/** Returns a function that explains why the model dropped a part: its probability, and conspicuous facts about it. */
export function explainDropped(
  { blocks, regionOf }: TextBlocks,
  probabilities: Float64Array,
  verdictOf: (region: Region) => number,
): (node: ChildNode) => string {
  // Computed on the first call, because few pages are traced.
  let blockOf: ReadonlyMap<ChildNode, Block> | undefined
  let times: ReadonlyMap<string, number> | undefined
  const isRepeated = ({ text }: Block): boolean => {
    times ??= countTexts(blocks)
    return (times.get(text) ?? 0) > 1
  }
  return (node) => {
    blockOf ??= new Map(blocks.flatMap((block) => block.nodes.map((text): [ChildNode, Block] => [text, block])))
    const own = blockOf.get(node)
    const region = isElement(node) ? regionOf.get(node) : own?.region
    const parts =
      own !== undefined ? [own] : blocks.filter((block) => region !== undefined && isWithin(block.region, region))
    const words = parts.reduce((sum, part) => sum + part.words, 0)
    const sum = parts.reduce((all, part) => all + part.words * (probabilities[part.at] ?? 0), 0)
    const text = parts.reduce((all, part) => all + part.text.length, 0)
    const links = parts.reduce((all, part) => all + part.link, 0)
    const facts = [
      ...(words > 0 && parts.every((part) => isRepeated(part)) ? ['the page has its text more than once'] : []),
      ...(region !== undefined && verdictOf(region) === -1 ? ['its markup declares it boilerplate'] : []),
      ...(links > 0.5 * text ? [`${percent(links / text)} of its text is links`] : []),
      ...(parts.some(({ isProse }) => isProse) ? [] : ['it has no sentences']),
    ]
    const likely = `${percent(words > 0 ? sum / words : 0)} likely to be main content`
    return facts.length > 0 ? `${likely}: ${facts.join(', ')}` : likely
  }
}

function countTexts(blocks: readonly Block[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const { text } of blocks) times.set(text, (times.get(text) ?? 0) + 1)
  return times
}

const percent = (share: number): string => `${Math.round(100 * share)}%`
