import { createHash } from 'node:crypto'
import type { Chunk } from '../../../content/convert/split/chunk-markdown.js'
import type { PageModel } from '../format.js'

/** A part of a page that fits into one request to a model. */
export interface PagePart {
  /** Its chunks, in page order. */
  readonly chunks: readonly Chunk[]
  readonly text: string
}

/** Packs the chunks of a page into as few parts as possible, each of at most `maxTokens`. */
export function packParts(chunks: readonly Chunk[], maxTokens: number): PagePart[] {
  const parts: Chunk[][] = []
  let tokens = Infinity
  for (const chunk of chunks) {
    if (tokens + chunk.tokens > maxTokens) {
      parts.push([])
      tokens = 0
    }
    parts.at(-1)?.push(chunk)
    tokens += chunk.tokens
  }
  return parts.map((part) => ({ chunks: part, text: part.map(({ markdown }) => markdown).join('\n\n') }))
}

/**
 * Characters that a model sees and a reader does not: zero-width and bidirectional characters, fillers, tags, variation
 * selectors. U+FE0F, which turns a symbol into an emoji, is kept.
 */
const INVISIBLE =
  /[\ufe00-\ufe0e\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu

/** Writes invisible characters as escapes, so that a page cannot hide instructions to the model from a reader. */
export const escapeInvisible = (text: string): string =>
  text.replaceAll('\u00ad', '').replace(INVISIBLE, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)

/**
 * Encloses a text of the page in marks. They contain its own hash, so the text cannot contain them.
 *
 * @returns the enclosed text, and the name of the mark
 */
export function fencePage(text: string, name = 'page'): { readonly fenced: string; readonly mark: string } {
  const shown = escapeInvisible(text)
  const mark = `${name}-${createHash('sha256').update(shown).digest('hex').slice(0, 12)}`
  return { fenced: `<${mark}>\n${shown}\n</${mark}>`, mark }
}

/** Words that form an instruction when they follow each other closely within one sentence. */
interface WordSequence {
  /** One group for each word, in order; a match outside of all groups ends the sentence. */
  readonly words: RegExp
  readonly groups: number
  /** Maximum characters between two words. */
  readonly gap: number
}

const SEQUENCES: readonly WordSequence[] = [
  {
    words:
      /\b(?:(ignore|disregard|forget|override)|(previous|prior|above|earlier|preceding|system|your|all)|(instructions?|prompts?|rules|directions|guidelines))\b|[.\n]/gi,
    groups: 3,
    gap: 40,
  },
  {
    words: /\b(?:(reveal|print|repeat|output|leak)|(system prompt|your (?:instructions|prompt)))\b|[.\n]/gi,
    groups: 2,
    gap: 30,
  },
]

/** Phrases that address instructions to a model. */
const PHRASES: readonly RegExp[] = [
  /\b(?:new|updated|hidden|secret) (?:system )?(?:instructions?|prompt) ?(?:for (?:the |any )?(?:ai|assistant|model|llm)s?)?:/i,
  /\b(?:attention|note|message|instructions?) (?:to|for) (?:the |all |any )?(?:ai|llm|language)[ -]?(?:models?|assistants?|agents?|systems?|crawlers?)?\b/i,
  /\byou are (?:now|no longer) (?:an? |in |the )?[^.\n]{0,30}\b(?:assistant|model|mode|ai|dan)\b/i,
  /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>/,
]

/** Finds a passage that gives instructions to a model; undefined when there is none. */
export function findPromptInjection(text: string): string | undefined {
  const visible = text.replaceAll('\u00ad', '').replace(INVISIBLE, '')
  for (const sequence of SEQUENCES) {
    const found = findSequence(visible, sequence)
    if (found !== undefined) return found.slice(0, 120)
  }
  for (const pattern of PHRASES) {
    const found = pattern.exec(visible)
    if (found) return found[0].slice(0, 120)
  }
  return undefined
}

/**
 * Finds the first place where the words follow each other in order. Linear in the text, however many beginnings there
 * are.
 */
function findSequence(text: string, { words, groups, gap }: WordSequence): string | undefined {
  /** For each word, its last match that completes the words before it: start of the sequence, end of the word. */
  let places: ({ readonly from: number; readonly to: number } | undefined)[] = []
  for (const match of text.matchAll(words)) {
    const group = match.findIndex((said, index) => index > 0 && said !== undefined) - 1
    if (group < 0) {
      places = []
      continue
    }
    const before = group === 0 ? undefined : places[group - 1]
    if (group > 0 && (!before || match.index - before.to > gap)) continue
    const place = { from: before?.from ?? match.index, to: match.index + match[0].length }
    if (group === groups - 1) return text.slice(place.from, place.to)
    places[group] = place
  }
  return undefined
}

/** Returns the reason for which a model was not asked about a page, a clause. A job may be resumed by an engine without one. */
export const whyNotAsked = (model: PageModel | undefined): string =>
  model ? 'the page has no text' : 'this engine has no language model'
