const SPACES = /[ \t\n\r\f\u2028\u2029]+/g
/** Soft hyphens and zero-width spaces. */
const UNSEEN = /[\u00AD\u200B\uFEFF]/g

export const SPACE = 32
/** The last sign of ASCII, and signs beyond it that are white space or unseen: see {@link SPACES} and {@link UNSEEN}. */
const LAST_PLAIN = 126
const SOFT_HYPHEN = 0xad
const ZERO_WIDTH_SPACE = 0x200b

/** True for white space that is collapsed: the part of {@link SPACES} that is ASCII. */
export const isSpace = (code: number): boolean =>
  code === SPACE || code === 9 || code === 10 || code === 12 || code === 13

/** True for a text without white space but single spaces, and without unseen signs. Most texts are so. */
export function isPlain(text: string): boolean {
  let before = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < SPACE || (code === SPACE && before === SPACE)) return false
    if (code > LAST_PLAIN && (code === SOFT_HYPHEN || code >= ZERO_WIDTH_SPACE)) return false
    before = code
  }
  return true
}

/**
 * Collapses white space. Soft hyphens and zero-width spaces only show where a word may break, and would keep it from being
 * found.
 *
 * @param isApart false where white space at the start has no effect
 */
export function collapseSpaces(text: string, isApart: boolean): string {
  const collapsed = text.replace(SPACES, ' ').replace(UNSEEN, '')
  return !isApart && collapsed.charCodeAt(0) === SPACE ? collapsed.slice(1) : collapsed
}

/** True for a letter or digit of ASCII. */
export const isLetterOrDigit = (code: number): boolean =>
  ((code | SPACE) >= 97 && (code | SPACE) <= 122) || (code >= 48 && code <= 57)
