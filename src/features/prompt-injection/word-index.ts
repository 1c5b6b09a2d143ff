import { foldText } from './fold-text.js'
import { languages } from './languages/index.js'
import { type Meaning, meanings } from './languages/words.js'

/** A phrase with what it means, in which languages. */
interface Phrase {
  /** Its parts: between two of them stands the rest of a word, or one word. */
  readonly parts: readonly string[]
  /** True if its last word may have any ending. */
  readonly isOpen: boolean
  /** Index of the language, and of the meaning: see {@link senseOf}. */
  readonly senses: number[]
}

/** Number of meanings, the factor of the language in a sense. */
export const MEANINGS = meanings.length
export const codes: readonly string[] = Object.keys(languages)
const indexOfMeaning = new Map<string, number>(meanings.map((meaning, index) => [meaning, index]))

/** Returns the number of a meaning. */
export const numberOf = (meaning: Meaning): number => indexOfMeaning.get(meaning) ?? 0

/** Length of the starts by which phrases are looked up. */
const KEY = 3

let index: ReadonlyMap<string, readonly Phrase[]> | undefined

/** Returns all phrases, by their first letters. Made on first use: it takes some 30 ms. */
function getPhrases(): ReadonlyMap<string, readonly Phrase[]> {
  if (index) return index
  const byText = new Map<string, Phrase>()
  for (const [language, words] of Object.values(languages).entries()) {
    for (const [meaning, list] of Object.entries(words)) {
      const sense = language * MEANINGS + (indexOfMeaning.get(meaning) ?? 0)
      for (const written of list.split(',')) {
        const text = foldText(written.trim())
        const known = byText.get(text)
        if (known) known.senses.push(sense)
        else if (text !== '') byText.set(text, readPhrase(text, sense))
      }
    }
  }
  const made = new Map<string, Phrase[]>()
  for (const phrase of byText.values()) {
    const key = phrase.parts[0]?.slice(0, KEY) ?? ''
    const list = made.get(key)
    if (list) list.push(phrase)
    else made.set(key, [phrase])
  }
  for (const list of made.values()) list.sort((one, other) => other.parts.join().length - one.parts.join().length)
  index = made
  return made
}

function readPhrase(text: string, sense: number): Phrase {
  const isOpen = text.endsWith('*')
  return { parts: (isOpen ? text.slice(0, -1) : text).split('*'), isOpen, senses: [sense] }
}

/** True for signs of scripts without spaces between words, in which a word may begin anywhere: Thai, Chinese, Japanese, Korean. */
const isUnspaced = (code: number): boolean =>
  (code >= 0x0e00 && code < 0x0e80) || (code >= 0x3040 && code < 0xa000) || (code >= 0xac00 && code < 0xd7a4)

/** True for Hebrew and Arabic, whose words have articles and pronouns before and after them. */
const isSemitic = (code: number): boolean => code >= 0x0590 && code < 0x0780

/** Maximum letters before a Hebrew or Arabic word in the same word. */
const MAX_PROCLITICS = 3

/** True for letters and digits. */
function isLetter(code: number): boolean {
  if (code < 0x80) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95
  if (code < 0xc0) return false
  return !(
    (code >= 0x2000 && code < 0x2070) ||
    (code >= 0x3000 && code < 0x3040) ||
    (code >= 0xff00 && code < 0xff10) ||
    (code >= 0x060c && code < 0x0620) ||
    code === 0x0964 ||
    code === 0x06d4 ||
    code === 0x05be
  )
}

/** Maximum length of a word that stands in a gap of a phrase. */
const MAX_GAP = 30

function skipWord(text: string, from: number): number {
  let at = from
  while (at < text.length && at - from < MAX_GAP && isLetter(text.charCodeAt(at))) at += 1
  return at
}

/** @returns the end of the phrase that begins here; -1 if it does not */
function matchPhrase(text: string, from: number, { parts, isOpen }: Phrase): number {
  let at = from
  for (let part = 0; part < parts.length; part++) {
    const wanted = parts[part] ?? ''
    if (part > 0) at = skipWord(text, at)
    if (!text.startsWith(wanted, at)) return -1
    at += wanted.length
  }
  if (isOpen) return skipWord(text, at)
  const last = text.charCodeAt(at - 1)
  if (isUnspaced(last) || isSemitic(last) || !isLetter(last)) return at
  return at < text.length && isLetter(text.charCodeAt(at)) && !isUnspaced(text.charCodeAt(at)) ? -1 : at
}

/**
 * Finds all words with a meaning in a folded text, in order of their beginnings. Linear: a beginning is compared with the phrases that
 * share its first letters.
 */
export function findWords(text: string, found: (sense: number, from: number, to: number) => void): void {
  const phrases = getPhrases()
  let wordStart = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 32) {
      wordStart = at + 1
      continue
    }
    const before = at === 0 ? 32 : text.charCodeAt(at - 1)
    const isStart = !isLetter(code) || !isLetter(before) || (isUnspaced(before) && !isUnspaced(code))
    if (isStart) wordStart = at
    if (!isStart && !isUnspaced(code) && !(isSemitic(code) && at - wordStart <= MAX_PROCLITICS)) continue
    // The longer ones first: they may change what a shorter one means.
    for (let length = KEY; length > 0; length--) {
      for (const phrase of phrases.get(text.slice(at, at + length)) ?? []) {
        const to = matchPhrase(text, at, phrase)
        if (to >= 0) for (const sense of phrase.senses) found(sense, at, to)
      }
    }
  }
}
