import { isUnseen, SPACE } from './spaces.js'

/** Set for a text with white space to collapse, or with signs that are not shown. */
export const HAS_SPACES = 1
/** Set for a text with a sign that may be inline markup, alone or together with the texts beside it. */
export const HAS_SIGNS = 2

/** Scans a text once for all that is not written as it stands. Most texts have nothing of it. */
export function scanText(text: string): number {
  let facts = 0
  let before = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const sign = code < SIGNS.length ? SIGNS[code] : isUnseen(code) ? UNSEEN : 0
    if (sign === UNSEEN) facts |= HAS_SPACES | HAS_SIGNS
    else if (sign === BLANK && (before === SPACE || code !== SPACE)) facts |= HAS_SPACES
    else if (sign === MARKUP || (sign === PART_OF_MARKUP && isMarkup(text, at, code))) facts |= HAS_SIGNS
    before = code
  }
  return facts
}

/** True for a sign that is markup beside some others, of which the next text may have one: `![`, `://`, `www.`. */
function isMarkup(text: string, at: number, code: number): boolean {
  const next = text.charCodeAt(at + 1)
  if (code === COLON) return next === SLASH
  if (code === SLASH) return at === 0
  if (code === EXCLAMATION_MARK) return at === text.length - 1
  return text.length === 1 || (next | SPACE) === SMALL_W
}

const EXCLAMATION_MARK = '!'.charCodeAt(0)
const SLASH = '/'.charCodeAt(0)
const COLON = ':'.charCodeAt(0)
const SMALL_W = 'w'.charCodeAt(0)

/** Without this sign, those beside it may be markup. */
const UNSEEN = 1
const BLANK = 2
const MARKUP = 3
const PART_OF_MARKUP = 4

const SIGNS = Uint8Array.from({ length: 127 }, (_, code) => {
  if (code <= SPACE) return BLANK
  const sign = String.fromCharCode(code)
  return '\\`*_[]<&~'.includes(sign) ? MARKUP : '!/:Ww'.includes(sign) ? PART_OF_MARKUP : 0
})
