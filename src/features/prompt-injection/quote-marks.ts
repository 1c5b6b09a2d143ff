/** Marks that end a quotation, by the one that begins it. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"“”'],
  ['`', '`'],
  ['“', '”"'],
  ['„', '“”"'],
  ['«', '»'],
  ['»', '«'],
  ['‹', '›'],
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
  ['‘', '’'],
])

/** Maximum distance of a quotation mark to what it quotes. Characters. */
const MAX_DISTANCE = 400

/** Tests if a place in a text is inside quotation marks that are closed after it. */
export function isInQuotes(text: string, at: number): boolean {
  const start = Math.max(0, at - MAX_DISTANCE)
  let open = ''
  for (let index = start; index <= at && index < text.length; index++) {
    const sign = text.charAt(index)
    if (open !== '') {
      if (open === "'" ? isClosingApostrophe(text, index) : (CLOSING.get(open) ?? '').includes(sign)) open = ''
    } else if (CLOSING.has(sign)) open = sign
    else if (sign === "'" && isOpeningApostrophe(text, index)) open = sign
  }
  if (open === '') return false
  for (let index = at + 1; index < text.length && index < at + MAX_DISTANCE; index++)
    if (open === "'" ? isClosingApostrophe(text, index) : (CLOSING.get(open) ?? '').includes(text.charAt(index)))
      return true
  return false
}

const isLetterAt = (text: string, at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at))

const isOpeningApostrophe = (text: string, at: number): boolean => !isLetterAt(text, at - 1) && isLetterAt(text, at + 1)

const isClosingApostrophe = (text: string, at: number): boolean => text.charAt(at) === "'" && !isLetterAt(text, at + 1)
