import type { Element } from '../../html/tree.js'
import type { Block } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/** The name and the reasons of a rule, as the trace tells them. */
export interface NamedRule {
  readonly name: string
  /** Reason to keep a block. The sentence begins with its verb: the block is its subject. Absent if the rule only drops. */
  readonly keeps?: string
  /** Reason to drop a block, likewise. Absent if the rule only keeps. */
  readonly drops?: string
}

/** A rule that adds blocks to the kept ones of a page, or removes some of them. */
export interface ContentRule<Page> extends NamedRule {
  /** Names of elements, of which the page must have one for the rule to find anything. @default any page */
  readonly needs?: readonly string[]
  /** Names of elements, none of which the page may have. @default any page */
  readonly lacks?: readonly string[]
  /** Tells the pages that the rule is for. @default all */
  readonly isFor?: (page: Page) => boolean
  readonly apply: (page: Page, kept: Set<Block>) => void
}

/** Finds blocks to keep, or to drop, given the kept ones. */
type FindBlocks<Page> = (page: Page, kept: ReadonlySet<Block>) => Iterable<Block>

/** Returns the action of a rule that keeps what it finds. */
export const keeping =
  <Page>(find: FindBlocks<Page>): ContentRule<Page>['apply'] =>
  (page, kept) => {
    for (const block of find(page, kept)) kept.add(block)
  }

/** Returns the action of a rule that drops what it finds. */
export const dropping =
  <Page>(find: FindBlocks<Page>): ContentRule<Page>['apply'] =>
  (page, kept) => {
    for (const block of find(page, kept)) kept.delete(block)
  }

/**
 * Applies rules in their order.
 *
 * @param verdicts get the fate of each block that a rule changes. @default nothing is recorded
 */
export function applyRules<Page extends { readonly read: TextBlocks }>(
  rules: readonly ContentRule<Page>[],
  page: Page,
  kept: Set<Block>,
  verdicts?: Verdicts,
): void {
  const { names } = page.read
  for (const rule of rules) {
    if (rule.needs?.some((name) => names.has(name)) === false || rule.lacks?.some((name) => names.has(name))) continue
    if (rule.isFor?.(page) === false) continue
    const before = verdicts && new Set(kept)
    rule.apply(page, kept)
    if (before !== undefined) verdicts?.recordChanges(rule, page.read.blocks, before, kept)
  }
}

/** The last decision about a block. */
interface Verdict {
  readonly rule: NamedRule
  readonly isKept: boolean
  /** Probability, 0 to 1, by which the rule decided, and the least that it asks for. Absent if it did not decide by one. */
  readonly likelihood?: { readonly probability: number; readonly least: number }
}

/** The last verdict on each block of a page, by the rule that gave it. It is filled for pages with a trace only. */
export class Verdicts {
  readonly #blocks = new Map<Block, Verdict>()
  readonly #elements = new Map<Element, NamedRule>()

  record(block: Block, verdict: Verdict): void {
    this.#blocks.set(block, verdict)
  }

  /** Records the blocks that a rule has added to the kept ones, or removed from them. */
  recordChanges(
    rule: NamedRule,
    blocks: readonly Block[],
    before: ReadonlySet<Block>,
    after: ReadonlySet<Block>,
  ): void {
    for (const block of blocks) {
      const isKept = after.has(block)
      if (isKept !== before.has(block)) this.record(block, { rule, isKept })
    }
  }

  /** Records that a rule drops an element, whatever the verdicts on the blocks in it. */
  recordElement(element: Element, rule: NamedRule): void {
    this.#elements.set(element, rule)
  }

  of(block: Block): Verdict | undefined {
    return this.#blocks.get(block)
  }

  ofElement(element: Element): NamedRule | undefined {
    return this.#elements.get(element)
  }
}
