import { codeAt } from '../../base/collections/code-at.js'

/** Weight of a character of Chinese, Japanese or Korean: as many letters of an alphabet say as much. */
export const MAX_WEIGHT = 3

/** Tests for a Chinese or Japanese character. Both are written without spaces, and count as a word each. */
export const isWordCode = (code: number): boolean =>
  code >= 0x3040 && (code <= 0x30ff || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff))

const isSyllable = (code: number): boolean => code >= 0xac00 && code <= 0xd7a3

/** Returns the length of a text without white space at its ends, with dense characters counted as {@link MAX_WEIGHT}. */
export function weighText(data: string): number {
  const text = data.trim()
  let weight = text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = codeAt(text, at)
    if (code >= 0x3040 && (isWordCode(code) || isSyllable(code))) weight += MAX_WEIGHT - 1
  }
  return weight
}
