/** Text in characters that nobody sees. */
interface UnseenSigns {
  /** The text without them. */
  readonly text: string
  /** The text in them, as far as it can be read, else their codes. */
  readonly said: string
  /** Predicate that names them. */
  readonly why: string
}

/** The first half of every Unicode tag, which a search finds in no time on a page without other rare characters. */
export const TAG_SIGN = '\udb40'

const TAG = '\\udb40[\\udc00-\\udc7f]'
/** The flags of England, Scotland, Wales and the like, the only use of tags. */
const FLAG = `\\ud83c\\udff4(?:\\udb40[\\udc30-\\udc39\\udc61-\\udc7a]){3,6}\\udb40\\udc7f`
const ZERO_WIDTH = '[\\u200b-\\u200f\\u2060-\\u2064\\ufeff\\u180e]'
const VARIATION = '(?:[\\ufe00-\\ufe0f]|\\udb40[\\udd00-\\uddef])'

/** Matches tags, runs of what has no width, runs of variation selectors, and characters that turn the direction of letters. */
const SIGNS = `(?:${TAG})+|${ZERO_WIDTH}{4,}|${VARIATION}{3,}|[\\u202d\\u202e]`

/** Matches characters that nobody sees. Some of them are those of a flag. */
const UNSEEN_SIGN: RegExp = new RegExp(SIGNS)
const SIGN_OR_FLAG = new RegExp(`(${FLAG})|${SIGNS}`, 'g')

/**
 * Removes characters that nobody sees and that language models read: Unicode tags, runs of characters without width or of
 * variation selectors, and overrides of the direction, by which a text reads otherwise than it is stored. Those that scripts need
 * (joiners in Persian, flags, one selector behind an emoji) stay.
 *
 * @returns undefined if there are none
 */
export function withoutUnseenSigns(text: string): UnseenSigns | undefined {
  if (!UNSEEN_SIGN.test(text)) return undefined
  let said = ''
  let why = ''
  let hasTurned = false
  const clean = text.replace(SIGN_OR_FLAG, (signs, flag: string | undefined) => {
    if (flag !== undefined) return flag
    const isTurn = signs === '\u202d' || signs === '\u202e'
    hasTurned ||= isTurn
    if (!isTurn && said.length < MAX_SAID) said += decode(signs)
    if (why === '' || why === TURNED) why = isTurn ? TURNED : 'is in characters that are not shown'
    return ''
  })
  if (why === '') return undefined
  const whole = hasTurned ? clean.replaceAll('\u202c', '') : clean
  return { text: whole, said: said === '' ? whole.trim() : said, why }
}

const TURNED = 'is stored in another direction than it is shown'
const MAX_SAID = 1000

/** Reads tags as the characters that they stand for, and variation selectors as bytes. Others are written as codes. */
function decode(signs: string): string {
  const codes = Array.from(signs, (sign) => sign.codePointAt(0) ?? 0)
  const letters = codes.map(letterOf)
  if (letters.every((code) => code !== undefined && code >= 0x20 && code < 0x7f))
    return String.fromCodePoint(...letters.flatMap((code) => code ?? []))
  return codes
    .slice(0, 40)
    .map((code) => `\\u{${code.toString(16)}}`)
    .join('')
}

function letterOf(code: number): number | undefined {
  if (code >= 0xe0020 && code < 0xe007f) return code - 0xe0000
  if (code >= 0xfe00 && code <= 0xfe0f) return code - 0xfe00
  return code >= 0xe0100 && code <= 0xe01ef ? code - 0xe0100 + 16 : undefined
}
