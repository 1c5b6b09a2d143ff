import { foldWords, MAX_WORD_LENGTH } from './fold-words.js'

/** Kinds of characters. A separator of ASCII splits words in the index as well; a blank outside ASCII is replaced by a space. */
const SEPARATOR = 0
const BLANK = 1
const SMALL = 2
const CAPITAL = 3
const UNDERSCORE = 4
/** Outside ASCII, and the end of texts in C. */
const OTHER = 5

const kinds = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z0-9]/.test(character)) return SMALL
  if (/[A-Z]/.test(character)) return CAPITAL
  return code === 0 ? OTHER : character === '_' ? UNDERSCORE : SEPARATOR
})

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < 0x80) return kinds[code] ?? OTHER
  // Quotation marks, dashes and spaces: the index would take them for letters.
  return (code >= 0x2000 && code <= 0x206f) || code === 0xa0 ? BLANK : OTHER
}

/**
 * Writes a text so that the index splits it into the words of {@link foldWords}. The index itself takes plain words of ASCII
 * apart and ignores their case, so that only names and words of other letters are written anew: that is five times as fast as
 * folding each word.
 */
export function foldText(text: string): string {
  let folded = ''
  let copied = 0
  for (let at = 0; at < text.length;) {
    const kind = kindAt(text, at)
    if (kind === BLANK) {
      folded += `${text.slice(copied, at)} `
      copied = at + 1
    }
    if (kind <= BLANK) {
      at += 1
      continue
    }
    const end = findEnd(text, at)
    if (!isPlain(text, at, end)) {
      folded += `${text.slice(copied, at)} ${foldWords(text.slice(at, end)).join(' ')} `
      copied = end
    }
    at = end
  }
  return folded + text.slice(copied)
}

function findEnd(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && kindAt(text, end) > BLANK) end += 1
  return end
}

/** Tests for a word that the index splits off by itself: it has no parts of its own, and every letter is one of ASCII. */
function isPlain(text: string, start: number, end: number): boolean {
  let before = SEPARATOR
  for (let at = start; at < end; at += 1) {
    const kind = kindAt(text, at)
    if (kind >= UNDERSCORE) return false
    if (kind === CAPITAL && before === SMALL) return false
    // The last capital before small letters begins a word: `HTTPHeader`.
    if (kind === SMALL && before === CAPITAL && at - start > 1 && !isDigit(text, at)) return false
    before = kind
  }
  return end - start <= MAX_WORD_LENGTH
}

const isDigit = (text: string, at: number): boolean => text.charCodeAt(at) <= 0x39
