import { type ChildNode, isElement, walk } from '../../html/tree.js'
import type { Block } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import type { NamedRule, Verdicts } from './content-rule.js'

/** Minimum share of links that is worth telling of a part that is not likely enough. */
const MIN_LINK_SHARE = 0.5

/**
 * Returns a function that tells which rule dropped a part, and why. Of a part with blocks that several rules dropped, the rule
 * with most of the words comes first.
 */
export function explainDropped({ blocks }: TextBlocks, verdicts: Verdicts): (node: ChildNode) => string {
  const blockOf = new Map(blocks.flatMap((block) => block.nodes.map((text): [ChildNode, Block] => [text, block])))
  return (node) => {
    const rule = isElement(node) ? verdicts.ofElement(node) : undefined
    if (rule !== undefined) return writeReason(rule)
    // An inline element, such as a link, has text of a block that is larger.
    const parts = new Set<Block>()
    const add = (one: ChildNode): void => {
      const block = blockOf.get(one)
      if (block !== undefined) parts.add(block)
    }
    if (isElement(node)) walk(node, add)
    else add(node)
    const reasons = groupByRule([...parts], verdicts).map((group) => writeReason(group.rule, group))
    return reasons.length > 0 ? reasons.join('; in part, ') : 'has no visible text'
  }
}

/** Dropped blocks of one rule. Sums, the probabilities weighted by words. */
interface DroppedByRule {
  readonly rule: NamedRule
  words: number
  text: number
  link: number
  probability: number
  /** The least probability that the rule asks for; 0 if it did not decide by one. */
  least: number
}

function groupByRule(parts: readonly Block[], verdicts: Verdicts): DroppedByRule[] {
  const groups = new Map<NamedRule, DroppedByRule>()
  for (const part of parts) {
    const verdict = verdicts.of(part)
    if (verdict === undefined || verdict.isKept) continue
    const { rule, likelihood } = verdict
    const group = groups.get(rule) ?? { rule, words: 0, text: 0, link: 0, probability: 0, least: 0 }
    groups.set(rule, group)
    const words = Math.max(1, part.words)
    group.words += words
    group.text += part.text.length
    group.link += part.link
    group.probability += words * (likelihood?.probability ?? 0)
    group.least = Math.max(group.least, likelihood?.least ?? 0)
  }
  return [...groups.values()].sort((one, other) => other.words - one.words)
}

function writeReason({ name, drops = 'is dropped' }: NamedRule, group?: DroppedByRule): string {
  return `${drops}${group === undefined || group.least === 0 ? '' : writeLikelihood(group)} (rule \`${name}\`)`
}

function writeLikelihood({ words, text, link, probability, least }: DroppedByRule): string {
  const links = link > MIN_LINK_SHARE * text ? `, and ${Math.round((100 * link) / text)}% of its text is links` : ''
  // Rounded apart, so that the two are never the same.
  return `: ${Math.floor((100 * probability) / words)}% likely, ${Math.ceil(round(100 * least))}% needed${links}`
}

/** Rounds a percentage, of which a minimum such as 0.55 is a little more than it says. */
const round = (percentage: number): number => Math.round(1e6 * percentage) / 1e6
