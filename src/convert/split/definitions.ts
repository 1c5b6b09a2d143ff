import { TOKEN, type Weigh, weigh } from './estimate-tokens.js'
import type { MarkdownBlock } from '../markdown-blocks/markdown-blocks.js'
import { foldLabel } from '../markdown-blocks/markdown-lines.js'

/** A definition as it is written. */
export interface Definition {
  readonly text: string
  /** On a line of its own, in tenths of a token. */
  readonly weight: number
}

/** A label in brackets that are not escaped. */
const LABEL = /\\.|\[((?:\\.|[^\\[\]]){1,999})\]/gs

/**
 * What the links and footnotes of Markdown refer to: when it is cut, each piece keeps the definitions that it uses.
 *
 * @see CommonMark 4.7
 */
export class Definitions {
  private readonly byLabel = new Map<string, Definition>()

  /** @param maxTokens heavier definitions are not carried along */
  constructor(blocks: readonly MarkdownBlock[], maxTokens = Infinity) {
    for (const { label, text } of blocks) {
      // Where a label is defined twice, the first counts.
      if (label === undefined || this.byLabel.has(label)) continue
      const weight = weigh(`\n${text}`)
      if (weight <= maxTokens * TOKEN) this.byLabel.set(label, { text, weight })
    }
  }

  /** The definitions that a text uses, each once, in the order of their use. */
  usedIn(text: string): Definition[] {
    if (this.byLabel.size === 0) return []
    const labels = new Set(Array.from(text.matchAll(LABEL), ([, label = '']) => foldLabel(label)))
    return [...labels].flatMap((label) => this.byLabel.get(label) ?? [])
  }

  /** Weighs a text with the definitions that it uses, but for those that `has` names. */
  weigher(has: ReadonlySet<Definition> = NONE): Weigh {
    if (this.byLabel.size === 0) return weigh
    return (text) =>
      this.usedIn(text).reduce((sum, definition) => sum + (has.has(definition) ? 0 : definition.weight), weigh(text))
  }
}

const NONE: ReadonlySet<Definition> = new Set()
