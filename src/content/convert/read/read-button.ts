import { type ChildNode, isText, textOf } from '../../html/tree.js'
import type { ElementReader } from '../ast/element-reader.js'

/**
 * Reads a button as words of their own, even without a space around it. In a sentence, no space stands before
 * punctuation, nor in a script that has none. A button that copies the code beside it is no text.
 */
export const readButton: ElementReader = (element, context) => {
  if (/^\s*cop(?:y|ied)(?: (?:code|to clipboard|link))?!?\s*$/i.test(textOf(element))) return
  if (!hasSign(element.prev, NO_SPACE_AFTER)) context.view.text(' ')
  context.readChildren(element)
  if (!hasSign(element.next, NO_SPACE_BEFORE)) context.view.text(' ')
}

/** Tests the text beside a button. A pattern for its end sees the last two characters, of which one sign may consist. */
const hasSign = (beside: ChildNode | null, sign: RegExp): boolean =>
  beside !== null && isText(beside) && sign.test(sign === NO_SPACE_AFTER ? beside.data.slice(-2) : beside.data)

const NO_SPACE_AFTER = /[([{“‘«\u3001-\u303F\uFF01-\uFF65\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u
const NO_SPACE_BEFORE =
  /^[.,;:!?)\]}…’”»\u3001-\u303F\uFF01-\uFF65\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
