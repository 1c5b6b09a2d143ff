/**
 * Parses a `Retry-After` header: seconds, or an HTTP date.
 *
 * @param nowMs the current time, in milliseconds since the epoch
 * @returns milliseconds from now, 0 for a past date; undefined when the header is absent or invalid
 * @see RFC 9110 section 10.2.3
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim()
  if (!text) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000)
  // Date.parse accepts much that is no date, such as `-5`: an HTTP date begins with the name of a day. Of its three
  // forms, asctime's has no zone and means GMT.
  const date = /gmt$/i.test(text) ? text : `${text} GMT`
  const dateMs = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(date) : NaN
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs)
}
