import { listMonths } from './date-names.js'

/** Maximum length of a text that is a date. Characters. */
const MAX_LENGTH = 60

const ISO =
  /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/u
const NUMERIC = /^(\d{1,4})([./-]|\.[ \u00a0])(\d{1,2})\2(\d{1,4})\.?(?:,?\s+(?:at\s+)?(\d{1,2}:\d{2}.{0,12}))?$/u
const EAST_ASIAN = /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(?:(\d{1,2})\s?[日일])?$/u
const WORDS = /\p{L}+|\d+/gu
/** A time of day. The letter of its half is none of a word, such as `PDT`. */
const TIME = /\b(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?([ap])(?:\.?m)?\.?(?!\p{L}))?/iu
const ORDINAL = /^(?:st|nd|rd|th|er|de|del|of|at|um|uhr|am|pm|a|p|m|on|the|le|el|den|à|o|º|ª|г|года)$/u

let known: ReadonlyMap<string, number> | undefined

/** Names of months by language. Computed on first use: it takes 15 ms. */
const months = (): ReadonlyMap<string, number> => (known ??= listMonths())

/**
 * Returns a date in ISO 8601, as precise as the text writes it: `2024-03`, `2024-03-05`, `2024-03-05T14:30`. Undefined for
 * a text that is more than a date, for a numeric date whose order of day and month is unknown, and for a day or a time
 * that does not exist. The end of a day, `24:00`, and a leap second are left out. Years of two digits are 1969 to 2068.
 *
 * @param dayFirst order of numeric dates. @default undefined: known by the numbers alone
 */
export function readDate(text: string, dayFirst?: boolean): string | undefined {
  if (text.length > MAX_LENGTH || !/\d/u.test(text)) return undefined
  const iso = ISO.exec(text)
  if (iso) return toIso([iso[1], iso[2], iso[3]], readTime(iso[4], iso[5]))
  const asian = EAST_ASIAN.exec(text)
  if (asian) return toIso([asian[1], asian[2], asian[3]], '')
  const numeric = NUMERIC.exec(text)
  return numeric ? readNumeric(numeric, dayFirst) : readNamed(text)
}

function readNumeric(
  [, first = '', sign, second = '', third = '', written]: RegExpExecArray,
  dayFirst?: boolean,
): string | undefined {
  const time = readTime(written)
  if (first.length === 4) return toIso([first, second, third], time)
  // Three short numbers with spaces between may be anything: `1. 2. 30`.
  const year = third.length === 2 && sign?.length === 1 ? withCentury(third) : third
  if (year.length !== 4) return undefined
  if (Number(first) > 12 || dayFirst === true) return toIso([year, second, first], time)
  return Number(second) > 12 || dayFirst === false ? toIso([year, first, second], time) : undefined
}

/** Completes a year of two digits as POSIX does. @see https://pubs.opengroup.org/onlinepubs/9799919799/functions/strptime.html */
const withCentury = (year: string): string => `${Number(year) < 69 ? 20 : 19}${year}`

/**
 * Finds the order of day and month that all numeric dates of a column have.
 *
 * @returns `undefined` if no date tells, `'mixed'` if two of them contradict each other
 */
export function findDayFirst(texts: readonly string[]): boolean | 'mixed' | undefined {
  const orders = new Set<boolean>()
  let isPointed = false
  let isPointKnown = false
  for (const text of texts) {
    const [, first = '', sign = '', second = '', third = ''] = NUMERIC.exec(text.slice(0, MAX_LENGTH)) ?? []
    if (first.length > 2 || third === '') continue
    const isDay = Number(first) > 12
    const isKnown = isDay !== Number(second) > 12
    if (isKnown) orders.add(isDay)
    if (sign.startsWith('.') && isKnown) isPointKnown = true
    // The day and the month of `13.14.2024` are unknown in any order.
    if (sign.startsWith('.') && !isKnown && !isDay) isPointed = true
  }
  // Dates with points have the day first, unless a page writes one with a second number above 12.
  if (isPointed && !isPointKnown) orders.add(true)
  return orders.size > 1 ? 'mixed' : [...orders][0]
}

/** Reads `5 March 2024`, `Mar 5th, 2024` and `Tuesday, March 5, 2024 at 2:30 PM`. */
function readNamed(text: string): string | undefined {
  const time = TIME.exec(text)
  const date = time === null ? text : `${text.slice(0, time.index)} ${text.slice(time.index + time[0].length)}`
  let month: number | undefined
  const numbers: string[] = []
  for (const [word] of date.toLowerCase().matchAll(WORDS)) {
    if (/^\d/u.test(word)) numbers.push(word)
    else if (month === undefined && months().has(word)) month = months().get(word)
    else if (!ORDINAL.test(word) && !isWeekday(word)) return undefined
  }
  const year = numbers.find((number) => number.length === 4)
  const day = numbers.find((number) => number.length <= 2)
  if (month === undefined || year === undefined || numbers.length > (day === undefined ? 1 : 2)) return undefined
  return toIso([year, String(month), day], readTime(time?.[0]))
}

/** Words of four letters and more that end like a day of the week, and their short forms. */
const isWeekday = (word: string): boolean =>
  /day$|tag$|woch$|di$|dimanche|feira$|domingo|sábado|domenica|sabato|dag$|^(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|mo|di|mi|do|fr|sa|so)$/u.test(
    word,
  )

/**
 * Reads the time in the text after a date: empty for no text, and for the end of a day and a leap second, which `Date` reads
 * as another day or not at all; undefined if there is no such time.
 */
function readTime(text: string | undefined, zone = ''): string | undefined {
  if (text === undefined) return ''
  const [whole = '', hours = '', minutes = '', seconds, half] = TIME.exec(text) ?? []
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (/^24:00(?::00)?$|^(?:[01]?\d|2[0-3]):[0-5]\d:60$/u.test(whole)) return ''
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds ?? 0) > 59) return undefined
  return `T${String(hour).padStart(2, '0')}:${minutes}${seconds === undefined ? '' : `:${seconds}`}${zone}`
}

/** Writes a date; undefined if there is no such day, or without a `time`. */
function toIso(
  [year = '', month = '', day]: readonly (string | undefined)[],
  time: string | undefined,
): string | undefined {
  const numbers = [Number(month), Number(day ?? 1)] as const
  const [monthNumber, dayNumber] = numbers
  if (time === undefined || !(monthNumber >= 1 && monthNumber <= 12)) return undefined
  if (!(dayNumber >= 1 && dayNumber <= countDays(Number(year), monthNumber))) return undefined
  const [shownMonth = '', shownDay = ''] = numbers.map((number) => String(number).padStart(2, '0'))
  return day === undefined ? `${year}-${shownMonth}` : `${year}-${shownMonth}-${shownDay}${time}`
}

/** Returns the number of days of a month. @param month 1 for January */
const countDays = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()
