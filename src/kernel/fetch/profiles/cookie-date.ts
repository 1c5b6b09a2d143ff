const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Reads the date of a cookie, which is in UTC whatever zone it names; undefined for what browsers do not read as a date, such
 * as `0` and `-1`: `Date.parse` reads them as years, long past.
 *
 * @returns milliseconds since the epoch
 * @see RFC 6265 section 5.1.1
 */
export function parseCookieDate(text: string): number | undefined {
  let time: readonly number[] | undefined
  let day: number | undefined
  let month: number | undefined
  let year: number | undefined
  for (const token of text.split(/[\t -/;-@[-`{-~]+/)) {
    const clock = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)/.exec(token)
    const number = /^\d{1,4}(?!\d)/.exec(token)?.[0]
    const named = MONTHS.indexOf(token.slice(0, 3).toLowerCase())
    if (clock && !time) time = clock.slice(1).map(Number)
    else if (number !== undefined && number.length <= 2 && day === undefined) day = Number(number)
    else if (named >= 0 && month === undefined) month = named
    else if (number !== undefined && number.length >= 2 && year === undefined) year = toFullYear(number)
  }
  if (!time || day === undefined || month === undefined || year === undefined) return undefined
  const [hours = 0, minutes = 0, seconds = 0] = time
  const isValid = day >= 1 && day <= 31 && year >= 1601 && hours <= 23 && minutes <= 59 && seconds <= 59
  return isValid ? Date.UTC(year, month, day, hours, minutes, seconds) : undefined
}

function toFullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length > 3 || year > 99) return year
  return year + (year >= 70 ? 1900 : 2000)
}
