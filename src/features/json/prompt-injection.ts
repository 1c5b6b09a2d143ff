import { withoutInvisible } from '../../base/llm/answers/page-text.js'

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
  const visible = withoutInvisible(text)
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
