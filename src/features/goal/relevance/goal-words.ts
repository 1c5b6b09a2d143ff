import { PAIRED } from '../../../base/text/fold-case.js'
import { visitWords } from './split-words.js'
import { areForms } from './word-forms.js'

/** Maximum number of words of a goal. */
export const MAX_GOAL_WORDS = 22
/** Maximum number of phrases of a goal. A set of words and phrases is kept in the bits of one number. */
export const MAX_GOAL_PHRASES = 8
/** Words that may stand between the words of a phrase that the goal does not quote: "annual plans", "plans that are annual". */
const PHRASE_SLACK = 3

/** Words of questions that say nothing about their subject, in the languages most of the web is written in. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be between by can do does each for from get has have how i if in into is it its me my not of ' +
    'on one or other our over should that the their them there these this to use used using was we what when where which who why ' +
    'will with without you your ' +
    'aber als am auf aus bei das dem den der des die ein eine einem einen einer es fur ich im ist kann man mein mit nach oder ' +
    'sich sind uber um und unter vom von vor wann warum was welche wenn wer werden wie wird wo zu zum zur ' +
    'au aux avec ce ces cette comment dans de des du elle en est et il je la le les leur mon ne nous ou par pas pour quand que ' +
    'quel quelle quelles quels qui quoi sans se ses son sont sur un une vous ' +
    'como con cual cuando de del donde el ella en es esta este la las lo los mi no o para pero por que se si sin sobre su sus un ' +
    'una y'
  ).split(' '),
)

/** Parts of words that are none of their own: `l'`, `qu'`, `'s`, `e-`. */
const PARTICLES =
  /(?<![\p{L}\p{N}])\p{L}{1,2}['’](?=\p{L})|['’]\p{L}{1,2}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])\p{L}-(?=\p{L})/gu

/** Removes the parts of words that say nothing about the subject of a goal: the `s` of "what's" is on any page. */
export const withoutParticles = (goal: string): string => goal.replaceAll(PARTICLES, ' ')

/** Words of a goal that belong together, as "refund policy". */
export interface GoalPhrase {
  /** The words as the goal has them, in lower case. */
  readonly text: string
  /** Indexes of the words in {@link GoalTerms.words}, each once. */
  readonly words: readonly number[]
  /**
   * Positions of the words after the first one, for a phrase that the goal quotes: a text must have all of them there.
   * Absent for words in any order, at most {@link GoalPhrase.span} apart.
   */
  readonly offsets?: readonly number[]
  /** Number of words of a text from the first to the last word of the phrase, at most. */
  readonly span: number
}

/** Terms of a goal that pages and links are compared with: words, then phrases. Plain data. */
export interface GoalTerms {
  readonly words: readonly string[]
  readonly phrases: readonly GoalPhrase[]
  /** Keeps the texts of pages and headings, for vectors. @default false */
  readonly keepsTexts?: boolean
  /** Looks for the search index that a page names, and for the search pages that it declares. @default false */
  readonly findsIndex?: boolean
}

/** Number of terms of a goal. */
export const countTerms = ({ words, phrases }: GoalTerms): number => words.length + phrases.length

/** Words of a part of the goal, without a mark of punctuation between them. */
interface Part {
  readonly words: readonly string[]
  readonly isQuoted: boolean
}

/**
 * Reads the terms of a goal. Its words are those without stop words, each form once; a goal of stop words only keeps them.
 * Its phrases are what it quotes, and words that follow each other with neither a stop word nor punctuation between them.
 *
 * @returns at most {@link MAX_GOAL_WORDS} words and {@link MAX_GOAL_PHRASES} phrases, in the order of the goal
 */
export function readGoalTerms(goal: string): GoalTerms {
  const parts = splitParts(withoutParticles(goal))
  const all = listForms(parts.flatMap(({ words }) => words))
  const content = all.filter((word) => !STOP_WORDS.has(word))
  const words = (content.length > 0 ? content : all).slice(0, MAX_GOAL_WORDS)
  const phrases: GoalPhrase[] = []
  for (const phrase of parts.flatMap((part) => listPhrases(part, words))) {
    if (phrases.length < MAX_GOAL_PHRASES && !phrases.some(({ text }) => text === phrase.text)) phrases.push(phrase)
  }
  return { words, phrases }
}

function listForms(words: readonly string[]): string[] {
  const forms: string[] = []
  for (const word of words) if (!forms.some((known) => areForms(known, word))) forms.push(word)
  return forms
}

/** Divides a goal at quotation marks and punctuation. */
function splitParts(goal: string): Part[] {
  const parts: Part[] = []
  const add = (text: string, isQuoted: boolean): void => {
    const words: string[] = []
    visitWords(text, (word) => words.push(word))
    if (words.length > 0) parts.push({ words, isQuoted })
  }
  // Every second piece stands between quotation marks; the text after an odd one is not quoted.
  const pieces = splitWhere(goal, (char) => QUOTATION_MARKS.has(char))
  for (const [at, piece] of pieces.entries()) {
    if (at % 2 === 1 && at < pieces.length - 1) add(piece, true)
    else for (const text of splitWhere(piece, endsPart)) add(text, false)
  }
  return parts
}

const QUOTATION_MARKS: ReadonlySet<string> = new Set('"“”„«»')
const BRACKETS: ReadonlySet<string> = new Set('()[]{}\n')
const PUNCTUATION: ReadonlySet<string> = new Set('.,;:!?')

/** Tests for a character after which another part begins. A point within a name, such as `node.js`, is none. */
const endsPart = (char: string, next: string | undefined): boolean =>
  BRACKETS.has(char) || (PUNCTUATION.has(char) && (next === undefined || next.trim() === ''))

/** Splits a text at each character for which `test` returns true. */
function splitWhere(text: string, test: (char: string, next: string | undefined) => boolean): string[] {
  const pieces: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    if (!test(text.charAt(at), text[at + 1])) continue
    pieces.push(text.slice(from, at))
    from = at + 1
  }
  return [...pieces, text.slice(from)]
}

function listPhrases({ words, isQuoted }: Part, known: readonly string[]): GoalPhrase[] {
  if (isQuoted) return toPhrases(words, known, true)
  const phrases: GoalPhrase[] = []
  let from = 0
  for (let at = 0; at <= words.length; at += 1) {
    const word = words[at]
    if (word !== undefined && !STOP_WORDS.has(word)) continue
    phrases.push(...toPhrases(words.slice(from, at), known, false))
    from = at + 1
  }
  return phrases
}

/** Turns words into a phrase; none if fewer than two of them are words of the goal. */
function toPhrases(words: readonly string[], known: readonly string[], isQuoted: boolean): GoalPhrase[] {
  const offsets = new Map<number, number>()
  for (const [offset, word] of words.entries()) {
    const at = known.findIndex((one) => areForms(one, word))
    if (at >= 0) offsets.set(at, offset)
  }
  if (offsets.size < 2) return []
  const [text, all] = [joinWords(words), [...offsets.keys()]]
  if (!isQuoted) return [{ text, words: all, span: all.length + PHRASE_SLACK }]
  const first = Math.min(...offsets.values())
  return [{ text, words: all, offsets: [...offsets.values()].map((offset) => offset - first), span: words.length }]
}

/** Joins words with spaces. Pairs of characters that overlap become the text that they were taken from. */
function joinWords(words: readonly string[]): string {
  let text = ''
  for (const [at, word] of words.entries()) {
    const before = words[at - 1] ?? ''
    const [first = '', ...rest] = word
    const overlaps = PAIRED.test(first) && rest.length > 0 && before.endsWith(first)
    text += overlaps ? rest.join('') : at === 0 ? word : ` ${word}`
  }
  return text
}
