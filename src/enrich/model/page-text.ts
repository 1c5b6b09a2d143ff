import { createHash } from 'node:crypto'
import type { Chunk } from '../../convert/split/chunk-markdown.js'

/** A part of a page that a model is asked about at once. */
export interface PagePart {
  /** The pieces of it, in order. */
  readonly chunks: readonly Chunk[]
  readonly text: string
}

/** The pieces of a page in as few parts as possible, each of at most so many tokens. */
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
 * What a reader does not see and a model does: zero-width and bidirectional signs, fillers, tags, variation selectors. The one that
 * makes a sign an emoji is left.
 */
const UNSEEN =
  /[\ufe00-\ufe0e\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu

/** The text with what cannot be seen in it written out, so that nothing can be said to a model behind a reader's back. */
export const showUnseen = (text: string): string =>
  text.replaceAll('\u00ad', '').replace(UNSEEN, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)

/**
 * A text of the page between marks that it cannot have in it: they carry its own hash.
 *
 * @returns the marked text, and the name of the mark
 */
export function fencePage(text: string, name = 'page'): { readonly fenced: string; readonly mark: string } {
  const shown = showUnseen(text)
  const mark = `${name}-${createHash('sha256').update(shown).digest('hex').slice(0, 12)}`
  return { fenced: `<${mark}>\n${shown}\n</${mark}>`, mark }
}

/** Words that are an order where they come one after the other, near each other in one sentence. */
interface OrderedWords {
  /** A group for each of them; what matches without any ends the sentence. */
  readonly words: RegExp
  readonly groups: number
  /** Characters between two of them, at most. */
  readonly gap: number
}

const ORDERED: readonly OrderedWords[] = [
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

/** What pages say that mean to give orders to a model. */
const ORDERS: readonly RegExp[] = [
  /\b(?:new|updated|hidden|secret) (?:system )?(?:instructions?|prompt) ?(?:for (?:the |any )?(?:ai|assistant|model|llm)s?)?:/i,
  /\b(?:attention|note|message|instructions?) (?:to|for) (?:the |all |any )?(?:ai|llm|language)[ -]?(?:models?|assistants?|agents?|systems?|crawlers?)?\b/i,
  /\byou are (?:now|no longer) (?:an? |in |the )?[^.\n]{0,30}\b(?:assistant|model|mode|ai|dan)\b/i,
  /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>/,
]

/** A passage that gives orders to a model; undefined when there is none. */
export function findOrders(text: string): string | undefined {
  const seen = text.replaceAll('\u00ad', '').replace(UNSEEN, '')
  for (const ordered of ORDERED) {
    const found = findOrdered(seen, ordered)
    if (found !== undefined) return found.slice(0, 120)
  }
  for (const pattern of ORDERS) {
    const found = pattern.exec(seen)
    if (found) return found[0].slice(0, 120)
  }
  return undefined
}

/** The first place where the words come in their order. Goes through the text once, however many beginnings there are. */
function findOrdered(text: string, { words, groups, gap }: OrderedWords): string | undefined {
  /** Of each word the last place where it stood with those before it: where they begin, and where it ends. */
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
