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

/** Phrases that begin with the same two letters, by their third one; those of two letters under 0. */
type Starts = Map<number, Phrase[]>

/** Phrases by their first two letters, and those of a single letter by that alone. */
let index: ReadonlyMap<number, Starts> | undefined

/** Returns the key of two letters; of one if the second is 0. */
const keyOf = (first: number, second: number): number => first * 0x1_00_00 + second

/** Returns all phrases, by their first letters. Made on first use: it takes some 30 ms. */
function getPhrases(): ReadonlyMap<number, Starts> {
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
  const made = new Map<number, Starts>()
  // The longer ones first: they may change what a shorter one means.
  for (const phrase of [...byText.values()].sort((one, other) => lengthOf(other) - lengthOf(one))) {
    const [start = ''] = phrase.parts
    const [first = 0, second = 0, third = 0] = [0, 1, 2].map((at) => start.charCodeAt(at) || 0)
    const starts = made.get(keyOf(first, second)) ?? new Map<number, Phrase[]>()
    made.set(keyOf(first, second), starts)
    starts.set(third, [...(starts.get(third) ?? []), phrase])
  }
  index = made
  return made
}

const lengthOf = ({ parts }: Phrase): number => parts.join('*').length

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
export function findWords(text: string, found: OnWord): void {
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
    const starts = at + 1 < text.length ? phrases.get(keyOf(code, text.charCodeAt(at + 1))) : undefined
    if (starts) {
      if (at + 2 < text.length) matchAll(starts.get(text.charCodeAt(at + 2)), text, at, found)
      matchAll(starts.get(0), text, at, found)
    }
    if (isUnspaced(code)) matchAll(phrases.get(keyOf(code, 0))?.get(0), text, at, found)
  }
}

type OnWord = (sense: number, from: number, to: number) => void

function matchAll(phrases: readonly Phrase[] | undefined, text: string, at: number, found: OnWord): void {
  if (phrases === undefined) return
  for (const phrase of phrases) {
    const to = matchPhrase(text, at, phrase)
    if (to >= 0) for (const sense of phrase.senses) found(sense, at, to)
  }
}
