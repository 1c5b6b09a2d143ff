import { ownValue } from '../../../base/collections/own-value.js'

/** Possible page number in a text, and the text with `#` in its place. */
interface CountedText {
  readonly number: number
  readonly text: string
  /** True if its piece of the row has no other words than those that accompany page numbers. */
  readonly isAlone: boolean
}

/** Maximum number of candidates for a page number at each end of a row. */
const MAX_NUMBERS = 2

/** Matches words next to page numbers, in the most common languages. */
const PAGE_WORDS =
  /(?<!\p{L})(?:pages?|pag|pp?|p[áa]gin[ae]s?|seiten?|sidan?|side|sivu|strona|str[áa]n[ak][ay]?|stranica|oldal|sayfa|trang|halaman|стр|страница|сторінка|σελ|σελίδα|of|de|di|von|av|af|sur|su|z|из|van|to|no)(?!\p{L})|[第页頁/쪽ページ]/giu

const LONE_NUMBER =
  /^[^\p{L}\p{N}]{0,5}(?:[1-9]\d{0,4}|[ivxlc]{1,8}|[A-Z]{0,2}[-.]?\d{1,3}[-.]\d{1,4})[^\p{L}\p{N}]{0,5}$/iu

/**
 * Tests if a row could be only a page number: `12`, `- iv -`, `Page 3 of 10`, `3/10`. Callers also test its position
 * and count.
 */
export function isPageNumber(text: string): boolean {
  if (text.length > 60) return false
  if (LONE_NUMBER.test(text)) return true
  const rest = text.replace(PAGE_WORDS, ' ')
  return rest !== text && /\d/.test(text) && !/\p{L}/u.test(rest) && (text.match(/\d+/g)?.length ?? 0) <= 2
}

/** Tests if a row is only a lower-case Roman number, as on front matter. */
export const isRomanNumber = (text: string): boolean => /^[^\p{L}\p{N}]{0,5}[ivxlc]{1,8}[^\p{L}\p{N}]{0,5}$/u.test(text)

/** Lists the possible page numbers of a row: digits, and Roman numbers at its start or end. */
export function countedTexts(text: string): CountedText[] {
  const numbers = [...text.matchAll(/\d{1,5}/g)]
  const chosen =
    numbers.length <= 2 * MAX_NUMBERS ? numbers : [...numbers.slice(0, MAX_NUMBERS), ...numbers.slice(-MAX_NUMBERS)]
  const roman = [
    ...text.matchAll(/^[^\p{L}\p{N}]*([ivxlc]{1,8})(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])([ivxlc]{1,8})[^\p{L}\p{N}]*$/giu),
  ]
  return [
    ...chosen.map((match) => take(text, match, match[0])),
    ...roman.map((match) => take(text, match, match[1] ?? match[2] ?? '')),
  ]
}

function take(text: string, match: RegExpExecArray, number: string): CountedText {
  const at = match.index + match[0].indexOf(number)
  const [before, after] = [text.slice(0, at), text.slice(at + number.length)]
  const piece = `${before.split(PIECE_END).at(-1) ?? ''} ${after.split(PIECE_END, 1)[0] ?? ''}`
  return {
    number: /^\d/.test(number) ? parseInt(number, 10) : fromRoman(number),
    text: `${before}#${after}`,
    isAlone: !/\p{L}/u.test(piece.replace(PAGE_WORDS, ' ')),
  }
}

const PIECE_END = /\t|\s[|•·∙–—-]\s/

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 }

function fromRoman(text: string): number {
  const digits = text
    .toLowerCase()
    .split('')
    .map((digit) => ownValue(ROMAN, digit) ?? 0)
  return digits.reduce((sum, digit, index) => sum + (digit < (digits[index + 1] ?? 0) ? -digit : digit), 0)
}
