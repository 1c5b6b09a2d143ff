import { type Block, MAX_READ_LENGTH } from '../blocks/block.js'
import type { Put } from './feature-vector.js'
import type { PageFacts } from './page-features.js'
import { wordsIn } from '../../../base/text/words-in.js'

/** Writes features of a block's own text: length, links, punctuation, and words shared with title and descriptions. */
export function readTextFeatures(block: Block, page: PageFacts, put: Put): void {
  const text = block.text.length > MAX_READ_LENGTH ? block.text.slice(0, MAX_READ_LENGTH) : block.text
  const words = page.wordsOf[block.at] ?? wordsIn(text)
  let shared = 0
  for (const word of words) if (page.titleWords.has(word)) shared += 1
  put('length', Math.log1p(block.text.length))
  put('words', Math.log1p(block.words))
  put('linkShare', block.link / block.text.length)
  put('wordLength', block.words > 0 ? block.text.length / block.words : 0)
  put('stopShare', words.length > 0 ? block.stops / words.length : 0)
  put('upperShare', upperShare(text))
  put('endsInStop', /[.!?。！？…:]["'”’)]?$/.test(text) ? 1 : 0)
  put('separators', text.match(/[|•·»›→>]/g)?.length ?? 0)
  put('times', Math.min(5, page.timesOf.get(block.text) ?? 1))
  put('titleShare', words.length > 0 ? shared / words.length : 0)
  put('shareOfTitle', page.titleWords.size > 0 ? shared / page.titleWords.size : 0)
  put('statedShare', page.statedPhrases.size === 0 ? -2 : page.statedPhrases.shareOf(words))
  put('describedShare', page.describedPhrases.shareOf(words))
}

/**
 * Returns the share of letters that are capitals. Nearly all are ASCII; these are counted without a regular expression.
 */
function upperShare(text: string): number {
  let upper = 0
  let letters = 0
  let isAscii = true
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 127) isAscii = false
    else if (code >= 65 && code <= 90) upper += 1
    else if (code >= 97 && code <= 122) letters += 1
  }
  if (!isAscii) {
    const others = text.replace(/[\0-\x7f]+/g, '')
    upper += others.match(/\p{Lu}/gu)?.length ?? 0
    letters += others.match(/[^\P{L}\p{Lu}]/gu)?.length ?? 0
  }
  return upper / Math.max(1, upper + letters)
}
