import { TOKEN, type Weigh, weigh } from './estimate-tokens.js'
import type { MarkdownBlock } from '../markdown-blocks/markdown-blocks.js'
import { foldLabel } from '../markdown-blocks/markdown-lines.js'

/** A link reference definition or footnote as written. */
export interface Definition {
  readonly text: string
  /** Weight of the definition on a line of its own, in tenths of a token. */
  readonly weight: number
}

/** A label in unescaped brackets. */
const LABEL = /\\.|\[((?:\\.|[^\\[\]]){1,999})\]/gs

/**
 * The definitions that the links and footnotes of a text refer to. When the text is cut, each piece keeps those that it
 * uses.
 *
 * @see https://spec.commonmark.org/0.31.2/#link-reference-definitions
 */
export class Definitions {
  readonly #byLabel = new Map<string, Definition>()

  /** Collects the definitions. @param maxTokens heavier definitions are dropped */
  constructor(blocks: readonly MarkdownBlock[], maxTokens = Infinity) {
    for (const { label, text } of blocks) {
      // If a label is defined twice, the first definition counts.
      if (label === undefined || this.#byLabel.has(label)) continue
      const weight = weigh(`\n${text}`)
      if (weight <= maxTokens * TOKEN) this.#byLabel.set(label, { text, weight })
    }
  }

  /** Returns the definitions that a text uses, each once, in the order of their use. */
  usedIn(text: string): Definition[] {
    if (this.#byLabel.size === 0) return []
    const labels = new Set(Array.from(text.matchAll(LABEL), ([, label = '']) => foldLabel(label)))
    return [...labels].flatMap((label) => this.#byLabel.get(label) ?? [])
  }

  /** Returns a function that weighs a text with the definitions that it uses, except those in `has`. */
  weigher(has: ReadonlySet<Definition> = NONE): Weigh {
    if (this.#byLabel.size === 0) return weigh
    return (text, most) => {
      const own = weigh(text, most)
      if (most !== undefined && own > most) return own
      return this.usedIn(text).reduce((sum, definition) => sum + (has.has(definition) ? 0 : definition.weight), own)
    }
  }
}

const NONE: ReadonlySet<Definition> = new Set()
