import { ownValue } from '../../../base/collections/own-value.js'

/** The text of a piece of Markdown or HTML as a reader sees it, with the way back to its source. */
export interface PlainText {
  readonly plain: string
  /** Returns the place of a value in the source. */
  toSource(start: number, end: number): { readonly start: number; readonly end: number }
}

/** Tags within a line: what they divide is one word for a reader. */
const INLINE = /^<\/?(?:a|abbr|b|bdi|bdo|cite|code|em|font|i|mark|s|small|span|strong|sub|sup|tt|u|wbr)[\s/>]/i

/**
 * Signs that divide or spell a value in Markdown, HTML, URLs and JSON: escapes, emphasis, tags, comments, references, and characters
 * that nobody sees.
 */
const SPELT =
  '\\\\u[0-9a-f]{4}|\\\\[!-/:-@[-`{-~]|\\*\\*|__|~~|&(?:#\\d{1,6}|#x[0-9a-f]{1,5}|amp|commat|period|plus|nbsp|lowbar|hyphen|shy|zwnj|zwj);|%[2-7][0-9a-f]|[\\u00AD\\u200B-\\u200F\\u2060\\uFEFF]'
const TAGS = '</?[a-z][^<>]{0,4000}>|<!--[^<>]{0,400}-->'
const MARKUP = new RegExp(`${SPELT}|${TAGS}`, 'gi')
/** The same without tags: their attributes have values as well. */
const MARKUP_IN_TAGS = new RegExp(SPELT, 'gi')

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  commat: '@',
  period: '.',
  plus: '+',
  nbsp: ' ',
  lowbar: '_',
  hyphen: '-',
  shy: '',
  zwnj: '',
  zwj: '',
}

/** Reads what a piece of markup stands for. @returns undefined for what stays as it is */
function readMarkup(mark: string): string | undefined {
  switch (mark.charAt(0)) {
    case '\\':
      return mark.length > 2 ? readCharacter(Number.parseInt(mark.slice(2), 16)) : mark.charAt(1)
    case '<':
      return mark.startsWith('<!') || INLINE.test(mark) ? '' : '\n'
    case '&':
      return readReference(mark.slice(1, -1).toLowerCase())
    case '%':
      return readCharacter(Number.parseInt(mark.slice(1), 16))
    default:
      return ''
  }
}

const readReference = (name: string): string | undefined =>
  name.startsWith('#x')
    ? readCharacter(Number.parseInt(name.slice(2), 16))
    : name.startsWith('#')
      ? readCharacter(Number(name.slice(1)))
      : ownValue(NAMED, name)

/** One character, so that places can be computed; undefined for control characters, and outside of the basic plane. */
const readCharacter = (code: number): string | undefined =>
  code >= 32 && code < 0xd8_00 ? String.fromCharCode(code) : undefined

const SPACES = /[\u00A0\u2000-\u200A\u202F\u3000]/g
const DASHES = /[\u2010-\u2015\u2212\uFF0D]/g
/** Digits of Arabic, Persian, Hindi and Bengali, and wide ones. */
const DIGITS = /[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\u09E6-\u09EF\uFF10-\uFF19]/g
const HAS_RARE =
  /[\u00A0\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\u09E6-\u09EF\u2000-\u2015\u202F\u2212\u3000\uFF0B-\uFF20]/

/** Zero of each row of digits. */
const zeroOf = (code: number): number =>
  [0x06_60, 0x06_f0, 0x09_66, 0x09_e6, 0xff_10].findLast((zero) => zero <= code) ?? code

/** Writes rare spaces, dashes and digits as the usual ones. The length stays. */
function unifySigns(text: string): string {
  if (!HAS_RARE.test(text)) return text
  return text
    .replace(SPACES, ' ')
    .replace(DASHES, '-')
    .replace(DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) - zeroOf(digit.codePointAt(0) ?? 0)))
    .replaceAll('＠', '@')
    .replaceAll('＋', '+')
    .replaceAll('：', ':')
}

const MAY_HAVE_MARKUP = /[\\*_~<&%\u00AD\u200B-\u200F\u2060\uFEFF]/

/** A source with tags, which are read as well. */
export const hasTags = (text: string): boolean => text.includes('<') && /<[a-z!/]/i.test(text)

/** Reads the text of a source. @param keepsTags leaves tags and comments in it, whose attributes have values as well */
export function toPlainText(source: string, keepsTags = false): PlainText {
  if (!MAY_HAVE_MARKUP.test(source)) return { plain: unifySigns(source), toSource: (start, end) => ({ start, end }) }
  let plain = ''
  let last = 0
  // Places where the plain text and the source part, and whether the text after one is what a mark stands for.
  const plainAt = [0]
  const sourceAt = [0]
  const isRead = [false]
  const markup = keepsTags ? MARKUP_IN_TAGS : MARKUP
  markup.lastIndex = 0
  for (let mark = markup.exec(source); mark; mark = markup.exec(source)) {
    const read = readMarkup(mark[0])
    if (read === undefined) continue
    plain += source.slice(last, mark.index)
    if (read !== '') {
      plainAt.push(plain.length)
      sourceAt.push(mark.index)
      isRead.push(true)
      plain += read
    }
    last = mark.index + mark[0].length
    plainAt.push(plain.length)
    sourceAt.push(last)
    isRead.push(false)
  }
  plain += source.slice(last)
  const partOf = (at: number): number => {
    let [low, high] = [0, plainAt.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((plainAt[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return low
  }
  return {
    plain: unifySigns(plain),
    toSource(start, end) {
      const first = partOf(start)
      const final = partOf(end - 1)
      const from = (sourceAt[first] ?? 0) + (isRead[first] ? 0 : start - (plainAt[first] ?? 0))
      const to = isRead[final]
        ? (sourceAt[final + 1] ?? source.length)
        : (sourceAt[final] ?? 0) + end - (plainAt[final] ?? 0)
      return { start: from, end: to }
    },
  }
}

const KEPT_MARKUP = /\*\*|__|~~|<\/?[a-z][^<>]{0,4000}>/gi

/** Returns the markup within a value: it stays, so that what it opens or closes outside does not break. */
export const markupWithin = (value: string): string =>
  value.includes('<') || value.includes('**') || value.includes('~~') ? (value.match(KEPT_MARKUP) ?? []).join('') : ''
