/**
 * Counts the punctuation marks that end sentences or clauses, of which most stand before a space, a quotation mark or a
 * parenthesis.
 */
export function countStops(text: string): number {
  let stops = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // Spaces and letters of European scripts are decided without a set.
    if (code === SPACE || (code > LAST_ASCII_STOP && code < FIRST_OTHER_STOP) || !STOPS.has(code)) continue
    if (at + 1 === text.length || AFTER_STOPS.has(text.charCodeAt(at + 1)) || FULL_STOPS.has(code)) stops += 1
  }
  return stops
}

const codesOf = (signs: string): ReadonlySet<number> => new Set(Array.from(signs, (sign) => sign.charCodeAt(0)))

const SPACE = 32
const STOPS = codesOf('.!?;:。！？؟।…')
/** Stops that no space follows. */
const FULL_STOPS = codesOf('。！？')
const AFTER_STOPS = codesOf(' "\'”’)')
const LAST_ASCII_STOP = '?'.charCodeAt(0)
const FIRST_OTHER_STOP = '؟'.charCodeAt(0)
