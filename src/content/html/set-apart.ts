import { collapse, type Element, isText, walk } from './tree.js'

/** Class names of badges, of which the text may be one word. */
const BADGE_CLASS =
  /badge|label|tag|flag|new\b|sale|sticker|hint|status|pill|chip|ribbon|promo|sponsor|kicker|eyebrow/iu
/** Class names of words found in a text, which may be a part of a word: `<span class="hl">Java</span>Script`. */
const FOUND_CLASS = /(?:^|[\s_-])(?:hl|hit|match|mark|keyword|query)/iu

/** Maximum characters of an element that are read. */
const MAX_TEXT = 60

/** A word with a capital at the beginning of a text. */
export const BEGINNING_OF_WORD = /^\p{Lu}\p{Ll}/u

/** The end of a word after which another may begin without a space: `Sale` or `NEW` before `Lamp`. */
export const END_OF_WORD = /\p{Ll}{2}$|\p{Lu}{2}$/u

/**
 * Tests for an element that the style may set apart from the text beside it without a space: a badge or a phrase, and no part of
 * a word, such as `Java` of `JavaScript`.
 */
export function isSetApart(element: Element): boolean {
  const { class: names = '' } = element.attribs
  if (BADGE_CLASS.test(names)) return true
  const text = beginningOf(element)
  return /^[\p{Lu}\d!]{2,}$/u.test(text) || (/\s/u.test(text) && !FOUND_CLASS.test(names))
}

function beginningOf(element: Element): string {
  let text = ''
  walk(element, (node) => {
    if (isText(node)) text += node.data.slice(0, MAX_TEXT)
    return text.length > MAX_TEXT ? 'stop' : true
  })
  return collapse(text)
}

const SECOND_AMOUNT = /^\p{Sc}\s?\d+[.,]\d\d(?!\d)/u
const FIRST_AMOUNT = /\d[.,]\d\d$/u

/** Tests for an amount with cents right after another one: `€ 1.20` and `€ 3.00 / kg`. */
export const areTwoAmounts = (before: string, text: string): boolean =>
  SECOND_AMOUNT.test(text) && FIRST_AMOUNT.test(before.slice(-4))
