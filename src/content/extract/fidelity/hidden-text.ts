import { cutText } from '../../../base/text/cut-text.js'
import type { ParsedPage } from '../../parse/parser.js'
import { type Element, textOf } from '../../html/tree.js'
import { selectorOf } from './dropped-block.js'
import { countWords, type HiddenText } from './fidelity.js'

/** Maximum number and length of listed texts. */
const MAX_TEXTS = 50
const MAX_LENGTH = 200

/** Maximum length of a word. Longer ones are codes of characters. */
const MAX_WORD = 20

/** Words of hidden text from which on a warning says that it is left out. */
const MIN_WORDS = 4

/** Collects the texts of a page that no reader sees. @internal */
export class HiddenTexts {
  readonly list: HiddenText[] = []
  /** True if not all were looked for. */
  isCut = false
  #words = 0
  #first = ''

  /** @param isWarnedOf false for a text that the content would not have anyway */
  add(text: string, why: string, selector: string, isWarnedOf = true): void {
    const line = text.replace(/\s+/g, ' ').trim()
    if (line === '') return
    if (isWarnedOf) this.#words += Math.max(countWords(line), Math.floor(line.length / MAX_WORD))
    if (isWarnedOf && this.#first === '') this.#first = why
    if (this.list.length >= MAX_TEXTS) return
    const shown = line.length > MAX_LENGTH ? `${cutText(line, MAX_LENGTH)}…` : line
    this.list.push({ text: shown, why, selector })
  }

  addElement(
    element: Element,
    why: string,
    { text = textOf(element), isWarnedOf }: { text?: string; isWarnedOf?: boolean } = {},
  ): void {
    this.add(text, why, selectorOf(element), isWarnedOf)
  }

  /** Returns the warning about them; none for a trifle. */
  warnings(): string[] {
    const warnings: string[] = []
    if (this.#words >= MIN_WORDS)
      warnings.push(
        `${this.#words} words that no reader sees are left out: the first text ${this.#first}. ` +
          '`hidden` lists them, `visibleOnly: false` keeps them.',
      )
    if (this.isCut)
      warnings.push('The style sheets of the page are too large to apply: text that no reader sees may be left in.')
    return warnings
  }
}

/** Reason for what attributes hide, as a predicate. */
export const BY_MARKUP = 'is hidden by its markup'

/**
 * Lists what nobody sees of a page: what its style sheets hide, what the parser of its file found, and what attributes hide.
 *
 * @param withheld elements that attributes alone hide
 * @internal
 */
export function listHidden(
  { dropped }: Pick<ParsedPage, 'dropped'>,
  found = new HiddenTexts(),
  withheld: readonly Element[] = [],
): HiddenTexts {
  for (const { text, reason, selector, isHidden } of dropped?.lines ?? [])
    if (isHidden === true) found.add(text, reason, selector)
  for (const element of withheld) found.addElement(element, BY_MARKUP, { isWarnedOf: false })
  return found
}
