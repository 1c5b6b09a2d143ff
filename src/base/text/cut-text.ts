/**
 * Returns the start of a text, one character shorter where it would end within a surrogate pair: databases and other
 * programs refuse half of one.
 */
export function cutText(text: string, length: number): string {
  const cut = text.slice(0, length)
  return text.length > length && /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** Returns a text of at most `length` characters for a message: a longer one is cut, and ends in `…`. */
export const shortenText = (text: string, length: number): string =>
  text.length > length ? `${cutText(text, length - 1)}…` : text
