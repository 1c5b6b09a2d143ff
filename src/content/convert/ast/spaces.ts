/** Runs of white space but single spaces: with a match for each word, the texts of a manual took four times as long. */
const SPACES = / [ \t\n\r\f\u2028\u2029]+|[\t\n\r\f\u2028\u2029][ \t\n\r\f\u2028\u2029]*/g
/** Soft hyphens and zero-width spaces. */
const UNSEEN = /[\u00AD\u200B\uFEFF]/g

export const SPACE = 32

/** White space but single spaces, control characters, and {@link UNSEEN} signs. */
// oxlint-disable-next-line no-control-regex -- these are collapsed as well
const TO_COLLAPSE = / {2}|[\0-\x1F\u00AD\u200B\u2028\u2029\uFEFF]/

/** True for a text that {@link collapseSpaces} leaves as it is. Most texts are so. A loop over its characters takes longer. */
export const isPlain = (text: string): boolean => !TO_COLLAPSE.test(text)

/** True for white space that is collapsed: the part of {@link SPACES} that is ASCII. */
export const isSpace = (code: number): boolean =>
  code === SPACE || code === 9 || code === 10 || code === 12 || code === 13

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

/** True for a text of nothing but white space. Most texts begin with a letter, and are not trimmed to find out. */
export const isBlank = (text: string): boolean => !isLetterOrDigit(text.charCodeAt(0)) && text.trim() === ''

/** True for a letter or digit of ASCII. */
export const isLetterOrDigit = (code: number): boolean =>
  ((code | SPACE) >= 97 && (code | SPACE) <= 122) || (code >= 48 && code <= 57)
