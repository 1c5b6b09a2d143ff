import { listMonths } from '../../base/text/date-names.js'
import { composeText } from '../../base/text/fold-case.js'
import { readDate } from '../../base/text/read-date.js'
import { isCounted, isCurrency, isDeadline, isLimit, isRate, isRelativeDay, isToday, isWeekday } from './noise-words.js'
import { stableText } from './stable-text.js'

/** Maximum length of a text that is compared word by word. Characters. */
export const MAX_TEXT = 20_000

/** A word of a text, in lower case and without punctuation around it. */
interface Word {
  readonly text: string
  /** As it is written. */
  readonly written: string
  readonly at: number
}

/** The words that two versions of a text do not share. */
export interface WordChange {
  readonly removed: readonly Word[]
  readonly added: readonly Word[]
  readonly before: readonly Word[]
  readonly after: readonly Word[]
}

/**
 * Text without link targets and images, and without what varies with each visit. Spellings that look alike are one: composed and
 * decomposed letters, typewriter's and printer's apostrophes and dashes.
 */
export const toPlainText = (markdown: string): string =>
  composeText(stableText(markdown.slice(0, MAX_TEXT)))
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u2010-\u2014\u2212]/g, '-')
    .replace(/!\[[^\]\n]*\]\([^()\s]*(?:\s"[^"\n]*")?\)/g, ' ')
    .replace(/\]\([^()\s]*(?:\s"[^"\n]*")?\)/g, '] ')
    .replace(/[*_`#[\]<>\\]+/g, ' ')

/** Compares two plain texts word by word. */
export function compareWords(previous: string, current: string): WordChange {
  const [before, after] = [readWords(previous), readWords(current)]
  return { removed: without(before, after), added: without(after, before), before, after }
}

/** A date of Chinese, Japanese or Korean. Its parts and the text around it may have no spaces in between. */
const EAST_ASIAN_DATE = /\d{4}\s?[年년]\s?\d{1,2}\s?[月월](?:\s?\d{1,2}\s?[日일])?/gu

function readWords(text: string): Word[] {
  const words: Word[] = []
  const parted = text.replace(EAST_ASIAN_DATE, (date) => ` ${date.replace(/\s/g, '')} `)
  for (const written of parted.split(/[\s|]+/)) {
    const bare = written
      .toLowerCase()
      .replace(/^[^\p{L}\p{N}\p{Sc}+-]+/u, '')
      .replace(/[^\p{L}\p{N}\p{Sc}%+]{1,8}$/u, '')
    if (bare !== '') words.push({ text: bare, written, at: words.length })
  }
  return words
}

/** The words of one list that the other has not, as often as they occur. */
function without(words: readonly Word[], others: readonly Word[]): Word[] {
  const left = new Map<string, number>()
  for (const { text } of others) left.set(text, (left.get(text) ?? 0) + 1)
  return words.filter(({ text }) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count <= 0
  })
}

/** Lists the signs that stand for words, such as `✓` and `🔴`, without those of ratings, likes and rights. */
export const listSymbols = (text: string): string[] => text.match(/(?![★☆⭐♥♡©®™\u{FFFC}\u{FFFD}])\p{So}/gu) ?? []

/** Tests whether numbers stand beside other words than before: `Basic €9, Pro €5` is no other order of `Basic €5, Pro €9`. */
export function haveNumbersMoved({ before, after }: WordChange): boolean {
  const pairs = (words: readonly Word[], by: number): string =>
    words
      .filter(({ text }) => hasDigit(text))
      .map(({ text, at }) => `${words[at + by]?.text ?? ''} ${text}`)
      .toSorted()
      .join('\n')
  return [-1, 1].every((by) => pairs(before, by) !== pairs(after, by))
}

const hasDigit = (text: string): boolean => /\d/.test(text)

/** Tests whether a word is an amount of money, by its sign or the word beside it. */
export const isPrice = ({ text, at }: Word, words: readonly Word[]): boolean =>
  hasDigit(text) &&
  (/\p{Sc}/u.test(text) ||
    [words[at - 1], words[at + 1]].some(
      (beside) => beside && (isCurrency(beside.text) || /^\p{Sc}$/u.test(beside.text)),
    ))

/** Tests for the currency of a price, which stands alone: `15,00 €`. */
const isItsCurrency = ({ text, at }: Word, words: readonly Word[]): boolean =>
  (isCurrency(text) || /^\p{Sc}$/u.test(text)) &&
  [words[at - 1], words[at + 1]].some((beside) => beside && hasDigit(beside.text))

/** Tests whether a price has another currency, and perhaps the same number. */
const isCurrencyChange = ({ removed, added, before, after }: WordChange): boolean =>
  removed.some((word) => isItsCurrency(word, before)) && added.some((word) => isItsCurrency(word, after))

/** Tests whether the price of a text has changed. */
export const isPriceChange = (words: WordChange): boolean => isAmountChange(words) || isCurrencyChange(words)

/** Tests whether the number of a price has changed. */
export const isAmountChange = ({ removed, added, before, after }: WordChange): boolean =>
  removed.some((word) => isPrice(word, before)) || added.some((word) => isPrice(word, after))

/** Parts the changed words into prices, with the numbers of changed currencies, and others. */
export function partPrices({ removed, added, ...all }: WordChange): [prices: WordChange, others: WordChange] {
  const isOfPrice = (words: readonly Word[]) => (word: Word) => isPrice(word, words) || isItsCurrency(word, words)
  const pricesOf = (changed: readonly Word[], words: readonly Word[]): readonly Word[] => {
    const found = new Set(changed.filter(isOfPrice(words)))
    for (const { text, at } of found)
      if (!hasDigit(text))
        for (const beside of [words[at - 1], words[at + 1]]) if (beside && isPrice(beside, words)) found.add(beside)
    return [...found].toSorted((one, other) => one.at - other.at)
  }
  const othersOf = (changed: readonly Word[], words: readonly Word[]): readonly Word[] =>
    changed.filter((word) => !isOfPrice(words)(word))
  return [
    { removed: pricesOf(removed, all.before), added: pricesOf(added, all.after), ...all },
    { removed: othersOf(removed, all.before), added: othersOf(added, all.after), ...all },
  ]
}

/** Tests whether all changed words are numbers of visitors or of what they do. */
export const isCounterChange = ({ removed, added, before, after }: WordChange): boolean =>
  removed.length + added.length > 0 &&
  removed.every((word) => isCounter(word, before)) &&
  added.every((word) => isCounter(word, after))

const isCounter = ({ text, at }: Word, words: readonly Word[]): boolean =>
  hasDigit(text) &&
  !/\p{Sc}/u.test(text) &&
  !words.slice(Math.max(0, at - 3), at).some((beside) => isLimit(beside.text)) &&
  !words.slice(at + 1, at + 4).some((beside) => isRate(beside.text)) &&
  [words[at + 1], words[at + 2], words[at - 1]].some((beside) => beside && isCounted(beside.text))

let months: ReadonlyMap<string, number> | undefined

const isMonth = (word: string): boolean => (months ??= listMonths()).has(word.replace(/\.$/, ''))

const isEastAsianDate = (word: string): boolean => /^\d{4}[年년]\d{1,2}[月월](?:\d{1,2}[日일])?$/u.test(word)

const isDatePart = (word: string): boolean =>
  /^\d{1,4}(?:st|nd|rd|th|\.)?$/.test(word) ||
  /^\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?\.?$/.test(word) ||
  isMonth(word) ||
  isEastAsianDate(word)

const isTimeOfDay = (word: string): boolean => /^\d{1,2}:\d{2}(?::\d{2})?(?:am|pm)?$/.test(word)

const isWholeDate = (word: string): boolean =>
  /^\d{4}-\d{2}-\d{2}/.test(word) ||
  /^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(word) ||
  isMonth(word) ||
  isEastAsianDate(word)

/** Tests whether all changed words are parts of dates. */
export function isDateChange({ removed, added, before, after }: WordChange): boolean {
  const changed = [...removed, ...added]
  if (
    changed.length === 0 ||
    !changed.every(({ text }) => isDatePart(text) || isTimeOfDay(text) || isRelativeDay(text) || isWeekday(text))
  )
    return false
  if (changed.some(({ text }) => isWholeDate(text) || isTimeOfDay(text))) return true
  // A bare number is a day or a year beside the name of a month.
  const isBesideMonth =
    (words: readonly Word[]) =>
    ({ at }: Word) =>
      [-2, -1, 1, 2].some((by) => isMonth(words[at + by]?.text ?? ''))
  return removed.every(isBesideMonth(before)) && added.every(isBesideMonth(after))
}

const HOUR_MS = 3_600_000
/** Bounds of the distance of a date of today from the time of the visit: sites of all time zones, and caches. Milliseconds. */
const AHEAD_MS = 14 * HOUR_MS
const BEHIND_MS = 48 * HOUR_MS

/** Tests whether each version names the day on which it was seen, and nothing else has changed. */
export function isDateOfVisit(
  { removed, added, before, after }: WordChange,
  previousAtMs: number,
  atMs: number,
): boolean {
  if (![...removed, ...added].every(({ text }) => isDatePart(text) || isTimeOfDay(text) || isWeekday(text)))
    return false
  if (after.some(({ text }) => isDeadline(text))) return false
  const [was, is] = [readDates(removed, before), readDates(added, after)]
  if (!isNear(was, previousAtMs) || !isNear(is, atMs)) return false
  const passed = Math.max(...is) - Math.max(...was)
  return Math.abs(passed - (atMs - previousAtMs)) <= 24 * HOUR_MS
}

const isNear = (dates: readonly number[], atMs: number): boolean =>
  dates.length > 0 && dates.every((date) => date - atMs <= AHEAD_MS && atMs - date <= BEHIND_MS)

/** Reads the dates around changed words. */
function readDates(changed: readonly Word[], words: readonly Word[]): number[] {
  const starts = new Set(changed.map(({ at }) => findStart(at, words)))
  return [...starts].flatMap((start) => {
    let end = start
    while (end < words.length && end < start + 6 && isDatePart(words[end]?.text ?? '')) end += 1
    const date = readDate(
      words
        .slice(start, end)
        .map(({ text }) => text)
        .join(' '),
    )
    const ms = date === undefined ? Number.NaN : Date.parse(date)
    return Number.isNaN(ms) ? [] : [ms]
  })
}

function findStart(at: number, words: readonly Word[]): number {
  let start = at
  while (start > 0 && at - start < 4 && isDatePart(words[start - 1]?.text ?? '')) start -= 1
  return start
}

/** Tests whether only words for days near the present have changed: `yesterday`. */
export function isAgeChange({ removed, added, before, after }: WordChange): boolean {
  const changed = [...removed, ...added]
  const isOfToday = [before, after].every((words) => words.some(({ text }) => isToday(text)))
  return (
    changed.length > 0 &&
    changed.every(
      ({ text, written }) => isRelativeDay(text) || written.includes('\u{FFFC}') || (isOfToday && isWeekday(text)),
    )
  )
}

/** Tests whether only identifiers have changed, such as those of a session or a build. */
export const isTokenChange = ({ removed, added }: WordChange): boolean =>
  removed.length > 0 && added.length > 0 && [...removed, ...added].every(({ text }) => isToken(text))

const isToken = (word: string): boolean =>
  word.length <= 200 &&
  /\d/.test(word) &&
  /[a-z]/.test(word) &&
  (/^[0-9a-f-]{7,}$/.test(word) || /^[0-9a-z_=-]{14,}$/.test(word))

/** Tests whether the checksum of a file has changed, as its length and the text around it tell. */
export const isChecksumChange = ({ removed, added }: WordChange, around: string): boolean =>
  [...removed, ...added].some(({ text }) =>
    /(?:^|[:=-])(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/.test(
      text.slice(0, 200),
    ),
  ) &&
  /\b(?:sha-?\d|md5|checksum|digest|prüfsumme|somme de contrôle|download|\w{1,40}\.(?:zip|gz|xz|tgz|exe|msi|dmg|iso|deb|rpm|jar|whl|apk))/i.test(
    around,
  )

/** Tests whether only years have changed. */
export const isYearChange = ({ removed, added }: WordChange): boolean =>
  removed.length > 0 &&
  added.length > 0 &&
  [...removed, ...added].every(({ text }) => /^(?:(?:19|20)\d\d[-–]?){1,2}$/.test(text))

/** Tests whether only numbers have changed, in the same places. */
export const isNumberChange = ({ removed, added }: WordChange): boolean =>
  removed.length > 0 && added.length > 0 && [...removed, ...added].every(({ text }) => hasDigit(text))

const MAX_QUOTE = 80

/** Quotes the beginning of a text. */
export function quoteText(text: string): string {
  const shown = text.trim()
  return shown.length > MAX_QUOTE ? `${shown.slice(0, MAX_QUOTE)}…` : shown
}

const quoteWords = (words: readonly Word[]): string =>
  quoteText(
    words
      .map(({ written }) => written)
      .join(' ')
      .replace(/[.,;:!?]$/, ''),
  )

/** Quotes the words that went and those that came. */
export const quoteSides = ({ removed, added }: WordChange): { previous: string; current: string } => ({
  previous: quoteWords(removed),
  current: quoteWords(added),
})

/** Quotes the changed words: `€12 → €9`. */
export function quoteChange(words: WordChange): string {
  const { previous, current } = quoteSides(words)
  if (words.removed.length === 0) return `+ ${current}`
  return words.added.length === 0 ? `− ${previous}` : `${previous} → ${current}`
}
