import { cutText } from '../../base/text/cut-text.js'
import { TOKEN, weigh } from '../../content/convert/split/estimate-tokens.js'
import { splitText } from '../../content/convert/split/split-text.js'
import type { ParsedPage } from '../../content/parse/parser.js'
import { findChatMarkup } from './chat-markup.js'
import { decodeTexts, type InjectionEncoding } from './decode-texts.js'
import { type FoundOrder, OrderFinder, splitSentences } from './find-orders.js'
import { type InjectionText, readPageTexts } from './page-texts.js'
import type { InjectionPlace, PromptInjection } from './prompt-injection.js'

/** Facts about a page for its check. Plain data. */
export interface InjectionQuery {
  /** Texts that no reader sees, as the digest lists them. */
  readonly hidden: readonly string[]
  /** Maximum tokens of a part of the page's text, for a model; absent if none is asked. */
  readonly partTokens?: number
}

/** Findings on a page. Plain data. */
export interface InjectionFindings {
  readonly found: readonly PromptInjection[]
  /** Number of findings that are not listed. */
  readonly more: number
  /** True if the page has more text than is read. */
  readonly isCut: boolean
  /** Text for a model, with {@link InjectionQuery.partTokens}. */
  readonly parts?: readonly string[]
}

/** Maximum findings of a document, and length of their quotes. */
export const MAX_FINDINGS = 50
export const MAX_QUOTE = 300
/** Maximum findings that are weighed. A hostile page may have one in every sentence. */
const MAX_CANDIDATES = 1000
/** Maximum length of the texts for a model. Characters. */
const MAX_MODEL_TEXT = 400_000

/** A finding before it is known what the page is about. */
interface Candidate extends PromptInjection {
  /** True if the page quotes it, or tells of it. */
  readonly isMentioned: boolean
}

/**
 * Finds instructions to a language model in a page: in its text, in what no reader sees, and in what stands for files and pictures.
 * On a page about language models and their safety, what it quotes is none. Linear in the page.
 */
export function findInjections(page: ParsedPage, query: unknown): InjectionFindings {
  const { hidden, partTokens } = query as InjectionQuery
  const { texts, isCut } = readPageTexts(page)
  const reader = new InjectionReader()
  for (const text of texts) reader.read(text)
  for (const text of hidden) reader.read({ text, where: 'hidden', isQuoted: false, isIntroduced: false })
  const found = reader.settle()
  return {
    found: found.slice(0, MAX_FINDINGS),
    more: Math.max(0, found.length - MAX_FINDINGS),
    isCut,
    parts: partTokens === undefined ? undefined : packTexts(texts, partTokens),
  }
}

/** Packs the texts of a page into parts for a model, what no reader sees among them. */
function packTexts(texts: readonly InjectionText[], partTokens: number): string[] {
  const lines = texts.map(({ text }) => text).join('\n')
  return splitText(cutText(lines, MAX_MODEL_TEXT), partTokens * TOKEN, weigh)
}

class InjectionReader {
  readonly #finder = new OrderFinder()
  readonly #candidates: Candidate[] = []
  /** Words about the subject, outside of the texts with candidates. */
  #models = 0
  #topics = 0

  read(page: InjectionText): void {
    if (page.where === 'markup') {
      this.#add(
        { quote: page.text, kind: 'chat-markup', where: 'markup', name: page.name, rule: 'markup/element' },
        page.isQuoted,
      )
      return
    }
    const before = this.#candidates.length
    const { models, topics } = this.#readOrders(page, page.text)
    this.#readMarkup(page)
    for (const { encoding, text } of decodeTexts(page.text)) {
      this.#readOrders({ ...page, text }, text, encoding)
      this.#readMarkup({ ...page, text }, encoding)
    }
    if (this.#candidates.length > before) return
    this.#models += models
    this.#topics += topics
  }

  /** Decides which candidates are instructions, and lists each once. */
  settle(): PromptInjection[] {
    const isAbout = (this.#topics > 0 && this.#topics * 2 + this.#models >= 5) || this.#models >= 12
    const mentioned = new Set(this.#candidates.flatMap(({ isMentioned, quote }) => (isMentioned ? toKey(quote) : [])))
    const listed = new Map<string, PromptInjection>()
    for (const { isMentioned, ...found } of this.#candidates) {
      const key = toKey(found.quote)
      // Descriptions and structured data repeat the text.
      const isRepeated = found.where !== 'text' && mentioned.has(key)
      if (isAbout && !NEVER_MENTIONED.has(found.where) && (isMentioned || isRepeated)) continue
      const known = listed.get(key)
      if (!known || (known.where === 'text' && found.where === 'hidden')) listed.set(key, found)
    }
    return [...listed.values()]
  }

  #readOrders(page: InjectionText, text: string, encoding?: InjectionEncoding) {
    const sentences = splitSentences(text)
    const orders = this.#finder.read(sentences)
    for (const order of orders.found) this.#addOrder({ ...page, text }, sentences, order, encoding)
    return orders
  }

  #addOrder(
    page: InjectionText,
    sentences: readonly string[],
    order: FoundOrder,
    encoding: InjectionEncoding | undefined,
  ): void {
    // Where an order stands is counted from the start of its text.
    if (this.#candidates.length >= MAX_CANDIDATES) return
    const { text } = page
    const { rule, language, from, to, at, lastAt } = order
    const startOf = (sentence: number): number =>
      sentences.slice(0, sentence).reduce((sum, { length }) => sum + length, 0)
    const isQuoted = [startOf(from) + at, startOf(to) + lastAt].some((place) => isInQuotes(text, place))
    const isMentioned = page.isQuoted || page.isIntroduced || order.isReported || isQuoted
    const quote = sentences.slice(from, to + 1).join('')
    this.#add({ ...placeOf(page), quote, kind: rule.kind, encoding, rule: `${language}/${rule.name}` }, isMentioned)
  }

  #readMarkup(page: InjectionText, encoding?: InjectionEncoding): void {
    const { text } = page
    for (const { name, at, end } of findChatMarkup(text)) {
      const quote = text.slice(at, end + MAX_QUOTE)
      // What a page about models says of their mark-up is no imitation, in whatever way it is written.
      this.#add({ ...placeOf(page), quote, kind: 'chat-markup', encoding, rule: `markup/${name}` }, true)
    }
  }

  #add({ quote, name, encoding, ...found }: PromptInjection, isMentioned: boolean): void {
    if (this.#candidates.length >= MAX_CANDIDATES) return
    const line = quote.replace(/\s+/g, ' ').trim()
    const shown = line.length > MAX_QUOTE ? `${cutText(line, MAX_QUOTE)}…` : line
    this.#candidates.push({
      quote: shown,
      ...found,
      ...(name !== undefined && { name }),
      ...(encoding !== undefined && { encoding }),
      isMentioned: isMentioned && encoding === undefined,
    })
  }
}

/** Places in which nobody quotes for a reader. */
const NEVER_MENTIONED: ReadonlySet<InjectionPlace> = new Set(['comment', 'hidden'])

const placeOf = ({ where, name }: InjectionText): { readonly where: InjectionPlace; readonly name?: string } =>
  name === undefined ? { where } : { where, name }

const toKey = (quote: string): string =>
  quote
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 80)

/** Marks that end a quotation, by the one that begins it. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"“”'],
  ['`', '`'],
  ['“', '”"'],
  ['„', '“”"'],
  ['«', '»'],
  ['»', '«'],
  ['‹', '›'],
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
  ['‘', '’'],
])

/** Maximum distance of a quotation mark to what it quotes. Characters. */
const MAX_DISTANCE = 400

/** Tests if a place in a text is inside quotation marks that are closed after it. */
export function isInQuotes(text: string, at: number): boolean {
  const start = Math.max(0, at - MAX_DISTANCE)
  let open = ''
  for (let index = start; index <= at && index < text.length; index++) {
    const sign = text.charAt(index)
    if (open !== '') {
      if (open === "'" ? isClosingApostrophe(text, index) : (CLOSING.get(open) ?? '').includes(sign)) open = ''
    } else if (CLOSING.has(sign)) open = sign
    else if (sign === "'" && isOpeningApostrophe(text, index)) open = sign
  }
  if (open === '') return false
  for (let index = at + 1; index < text.length && index < at + MAX_DISTANCE; index++)
    if (open === "'" ? isClosingApostrophe(text, index) : (CLOSING.get(open) ?? '').includes(text.charAt(index)))
      return true
  return false
}

const isLetterAt = (text: string, at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at))

const isOpeningApostrophe = (text: string, at: number): boolean => !isLetterAt(text, at - 1) && isLetterAt(text, at + 1)

const isClosingApostrophe = (text: string, at: number): boolean => text.charAt(at) === "'" && !isLetterAt(text, at + 1)
