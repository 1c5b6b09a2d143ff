import { ownValue } from '../collections/own-value.js'

/**
 * Scripts without spaces between words, and Korean, whose words end in particles. Their texts are compared by pairs of characters. The
 * extensions of a script have what it shares with others, such as the long vowel of Japanese: `\u30fc`.
 */
export const PAIRED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * Accents of European scripts, and the marks of Arabic and Hebrew that most texts leave out, with the stretched joint of Arabic. Marks
 * of other scripts are vowels, which stay.
 */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670]/g

/** Letters that Unicode does not decompose, as people write them without the key. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
}

/** Writes a word in lower case and without accents, so that it is equal to other spellings. */
export const foldCase = (word: string): string =>
  // Characters of ASCII alone are most words.
  /^[\x20-\x7e]*$/.test(word)
    ? word.toLowerCase()
    : word
        .normalize('NFKD')
        .replace(ACCENTS, '')
        .normalize('NFC')
        .toLowerCase()
        .replace(/[ßøæœđłıþς]/g, (letter) => ownValue(LETTERS, letter) ?? letter)

/** Characters that a text without accents of other scripts, and without invisible characters, has not. */
const MAY_DIFFER = /[\u0300-\uffff]|\u00ad/
/** Characters that nobody sees: soft hyphens, zero-width ones, marks of direction. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g
const LIGATURES = /[\ufb00-\ufb06]/g

/** Writes spellings that look alike as one: composed letters for decomposed ones, letters for ligatures, nothing invisible. */
export const composeText = (text: string): string =>
  MAY_DIFFER.test(text)
    ? text
        .normalize('NFC')
        .replace(INVISIBLE, '')
        .replace(LIGATURES, (ligature) => ligature.normalize('NFKD'))
    : text

/** Writes a text in lower case and without accents, spaces and signs. */
export const squeezeWords = (text: string): string => foldCase(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
