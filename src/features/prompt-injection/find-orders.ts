import { foldText } from './fold-text.js'
import { addressRules, dense, type OrderRule, orderRules, verbLast, type WordRule } from './order-rules.js'
import { codes, findWords, MEANINGS, numberOf } from './word-index.js'

/** An order to a model in a text. */
export interface FoundOrder {
  readonly rule: OrderRule
  /** Code of the language. */
  readonly language: string
  /** Indices of the sentences in which it begins and ends. */
  readonly from: number
  readonly to: number
  /** Offset in its first sentence, nearly: folding may change lengths. */
  readonly at: number
  /** Offset of its last word in its last sentence. */
  readonly lastAt: number
  /** True if words before it in its sentence report about orders. */
  readonly isReported: boolean
}

/** Results for one text. */
interface TextOrders {
  readonly found: readonly FoundOrder[]
  /** Number of words that name models, and the subject of prompt injection. */
  readonly models: number
  readonly topics: number
}

const MODEL = numberOf('model')
const PEOPLE = numberOf('people')
const TOPIC = numberOf('topic')
const REPORT = numberOf('report')
const ADDRESSED = numberOf('addressed')

/** A rule with the numbers of its meanings. */
interface NumberedRule {
  readonly slots: readonly (readonly number[])[]
  readonly span: number
  readonly sentences: number
  readonly isOrdered?: true
  readonly isVerbFirst?: true
  /** Undefined for a rule of {@link addressRules}. */
  readonly rule?: OrderRule
}

const toNumbers = (rules: readonly WordRule[]): NumberedRule[] =>
  rules.map(({ slots, span, sentences = 0, isOrdered, isVerbFirst }) => ({
    slots: slots.map((slot) => slot.map(numberOf)),
    span,
    sentences,
    isOrdered,
    isVerbFirst,
  }))

const numbered: readonly NumberedRule[] = [
  ...toNumbers(addressRules),
  ...toNumbers(orderRules).map((one, index) => ({ ...one, rule: orderRules[index] })),
]

/** Rules by the meanings that they need. */
const rulesOf: readonly (readonly NumberedRule[])[] = Array.from({ length: MEANINGS }, (_, meaning) =>
  numbered.filter(({ slots }) => slots.some((slot) => slot.includes(meaning))),
)

/** Maximum length of words before an order that report it. Characters. */
const REPORT_SPAN = 160

const IS_DENSE = codes.map((code) => dense.has(code))
const IS_VERB_LAST = codes.map((code) => verbLast.has(code))

const FAR = -1e9

/** Distance of texts to each other: no order reaches from one to the next. Characters, and sentences. */
const TEXT_GAP = 400
const SENTENCE_GAP = 10

/**
 * Finds orders to a model in the texts of a page, one after the other. Linear: for each language the last two words of each meaning
 * are kept.
 */
export class OrderFinder {
  /** For each language and meaning, its last two words: where each begins in all texts, and in which sentence. */
  readonly #places = new Int32Array(codes.length * MEANINGS * 4).fill(FAR)
  /** The first place of a report in the sentence, by language. */
  readonly #report = new Int32Array(codes.length)
  /** Languages with words in the text. */
  readonly #languages = new Set<number>()
  /** The surest order of each sentence of the text. */
  readonly #found = new Map<number, FoundOrder>()
  /** Beginnings of the sentences of the text. */
  #starts: number[] = []
  #first = 0
  #sentence = 0
  #start = 0
  #models = 0
  #topics = 0
  readonly #onWord = (sense: number, from: number, to: number): void =>
    this.#add(sense, this.#start + from, this.#start + to)

  /** @param sentences of a text, in order, as the page has them */
  read(sentences: readonly string[]): TextOrders {
    this.#models = 0
    this.#topics = 0
    this.#languages.clear()
    this.#found.clear()
    this.#starts = []
    this.#start += TEXT_GAP
    this.#sentence += SENTENCE_GAP
    this.#first = this.#sentence
    for (const sentence of sentences) {
      const text = foldText(sentence)
      this.#report.fill(-1)
      this.#starts.push(this.#start)
      findWords(text, this.#onWord)
      this.#start += text.length + 1
      this.#sentence += 1
    }
    return { found: [...this.#found.values()], models: this.#models, topics: this.#topics }
  }

  #add(sense: number, from: number, to: number): void {
    const language = Math.floor(sense / MEANINGS)
    const meaning = sense % MEANINGS
    // The universal words have those for people.
    if (meaning === MODEL && this.#places[PEOPLE * 4] === from) return
    if (meaning === MODEL) this.#models += 1
    if (meaning === TOPIC) this.#topics += 1
    if ((meaning === REPORT || meaning === TOPIC) && (this.#report[language] ?? 0) < 0) this.#report[language] = from
    this.#set(sense, from)
    if (language > 0) {
      this.#languages.add(language)
      this.#apply(language, meaning, to)
    } else for (const one of this.#languages) this.#apply(one, meaning, to)
  }

  #set(sense: number, from: number): void {
    const at = sense * 4
    // A phrase may have a shorter one at its beginning, with the same meaning.
    if (this.#places[at] === from) return
    this.#places.copyWithin(at + 2, at, at + 2)
    this.#places[at] = from
    this.#places[at + 1] = this.#sentence
  }

  #apply(language: number, meaning: number, to: number): void {
    const isDense = IS_DENSE[language] === true
    for (const numberedRule of rulesOf[meaning] ?? []) {
      const { rule, span } = numberedRule
      const begin = this.#match(language, numberedRule, Math.max(to - (isDense ? span / 2 : span), 0))
      if (begin === undefined) continue
      if (rule) this.#keep(rule, language, { ...begin, to })
      else {
        this.#set(language * MEANINGS + ADDRESSED, begin.from)
        this.#apply(language, ADDRESSED, to)
      }
    }
  }

  /** @returns where the first of the words begins; undefined if one is missing, or if one word would have to be two */
  #match(
    language: number,
    { slots, sentences, isOrdered, isVerbFirst }: NumberedRule,
    min: number,
  ): { readonly from: number; readonly sentence: number } | undefined {
    const minSentence = this.#sentence - sentences
    const used: number[] = []
    let first: { from: number; sentence: number } | undefined
    for (const slot of slots) {
      let best = FAR
      let sentence = 0
      for (const meaning of slot) {
        for (const at of [(language * MEANINGS + meaning) * 4, meaning * 4]) {
          for (const place of [at, at + 2]) {
            const from = this.#places[place] ?? FAR
            const within = this.#places[place + 1] ?? FAR
            if (from <= best || from < min || within < minSentence || used.includes(from)) continue
            best = from
            sentence = within
          }
        }
      }
      if (best === FAR) return undefined
      used.push(best)
      if (!first || best < first.from) first = { from: best, sentence }
    }
    const mustFollow = isOrdered ?? (isVerbFirst && IS_VERB_LAST[language] !== true)
    return mustFollow && (used[0] ?? 0) > (used.at(-1) ?? 0) ? undefined : first
  }

  #keep(
    rule: OrderRule,
    language: number,
    { from, sentence, to }: { from: number; sentence: number; to: number },
  ): void {
    const known = this.#found.get(sentence)
    if (known && orderRules.indexOf(known.rule) <= orderRules.indexOf(rule)) return
    const report = Math.max(this.#report[language] ?? -1, this.#report[0] ?? -1)
    this.#found.set(sentence, {
      rule,
      language: codes[language] ?? '',
      from: sentence - this.#first,
      to: this.#sentence - this.#first,
      at: Math.max(0, from - (this.#starts[sentence - this.#first] ?? 0)),
      lastAt: Math.max(0, to - this.#start - 1),
      isReported: sentence === this.#sentence && report >= 0 && report < from && from - report <= REPORT_SPAN,
    })
  }
}

/** Maximum length of a sentence. Longer ones are divided. Characters. */
const MAX_SENTENCE = 600

const isEnd = (code: number): boolean =>
  code === 46 ||
  code === 33 ||
  code === 63 ||
  code === 0x3002 ||
  code === 0xff01 ||
  code === 0xff1f ||
  code === 0x0964 ||
  code === 0x061f ||
  code === 0x06d4

/** Divides a text into sentences. A full stop inside a word, as in an address, ends none. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  const end = (at: number): void => {
    if (at > start) sentences.push(text.slice(start, at))
    start = at
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10) end(at + 1)
    else if (isEnd(code) && (code > 127 || at + 1 === text.length || /[\s"')\]”»]/.test(text.charAt(at + 1))))
      end(at + 1)
    else if (at - start >= MAX_SENTENCE && (code === 32 || at - start >= MAX_SENTENCE + 100)) end(at + 1)
  }
  end(text.length)
  return sentences
}
