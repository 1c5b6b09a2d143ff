/** Numbers and times as a report prints them. */

const whole = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

export const printCount = (count: number): string => whole.format(count)

/** Prints a number with at most three significant digits. */
export const printNumber = (number: number): string => short.format(number)

export const printShare = (part: number, all: number): string =>
  all === 0 ? '0 %' : `${((part / all) * 100).toFixed(part > 0 && part / all < 0.01 ? 1 : 0)} %`

/**
 * Prints the shares of the parts of a whole so that their sum is 100 %, by largest remainders. All have one decimal place if one of
 * them is less than 1 %.
 */
export function printShares(parts: readonly number[]): string[] {
  const all = parts.reduce((sum, part) => sum + part, 0)
  if (all === 0) return parts.map(() => '0 %')
  const places = parts.some((part) => part > 0 && part / all < 0.01) ? 1 : 0
  const unit = 10 ** places
  const exact = parts.map((part) => (part / all) * 100 * unit)
  const units = exact.map(Math.floor)
  const left = Math.round(100 * unit - units.reduce((sum, one) => sum + one, 0))
  const byRemainder = exact
    .map((value, at) => ({ at, remainder: value - Math.floor(value) }))
    .toSorted((one, other) => other.remainder - one.remainder)
  for (const { at } of byRemainder.slice(0, left)) units[at] = (units[at] ?? 0) + 1
  return units.map((one, at) => (one === 0 && parts[at] !== 0 ? '< 0.1 %' : `${(one / unit).toFixed(places)} %`))
}

/** Prints a number with a noun: `1 page`, `2 pages`. */
export const printItems = (count: number, noun: string, plural = `${noun}s`): string =>
  `${printCount(count)} ${count === 1 ? noun : plural}`

export function printBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${short.format(bytes / 1000 ** step)} ${units[step]}`
}

/** Prints a duration: `840 ms`, `3.2 s`, `4 min 10 s`, `2 h 5 min`. */
export function printDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 60) return `${short.format(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Prints a date in the time of the reader: `2026-05-17 14:03:22`. */
export function printDate(date: string | number): string {
  const at = new Date(date)
  if (Number.isNaN(at.getTime())) return String(date)
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** Characters that are invisible, or change the direction of text. The two joiners are part of words in some languages. */
const UNSEEN = /(?![\u200C\u200D])[\p{C}\p{Z}]/gu

/**
 * Prints a part of a URL with readable letters. Characters that are not seen stay encoded: `%E2%80%AE` would show `/exe.jpg` for an
 * address that ends in `gpj.exe`.
 */
export function decodeLetters(url: string): string {
  try {
    return decodeURI(url).replaceAll(UNSEEN, encodeURIComponent)
  } catch {
    return url
  }
}

/** Prints a URL without its scheme, and with readable letters. */
export const printUrl = (url: string): string => decodeLetters(url.replace(/^https?:\/\//, ''))

/** Folds a text for the search: its case does not matter, nor whether accents are characters of their own. */
export const foldText = (text: string): string => text.toLowerCase().normalize()

/** Names of outcomes for readers. */
export const outcomeNames = {
  done: 'Scraped',
  failed: 'Failed',
  skipped: 'Skipped',
  queued: 'Queued',
  active: 'Active',
} as const
