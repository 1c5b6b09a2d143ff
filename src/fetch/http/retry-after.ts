/**
 * Reads a `Retry-After` header: seconds, or an HTTP date.
 *
 * @param nowMs what a date is compared with, in milliseconds since the epoch
 * @returns milliseconds from now, 0 for a date that has passed; undefined when there is none or it makes no sense
 * @see RFC 9110 section 10.2.3
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim()
  if (!text) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000)
  // Date.parse reads a great deal that is no date, e.g. `-5`: an HTTP date begins with the name of a day.
  // The one of its three forms that names no zone (asctime's) means GMT too.
  const date = /gmt$/i.test(text) ? text : `${text} GMT`
  const dateMs = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(date) : NaN
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs)
}
