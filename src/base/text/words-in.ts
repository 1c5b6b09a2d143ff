/** Splits a text into its words and numbers, in lower case. */
export function wordsIn(text: string): string[] {
  const lower = text.toLowerCase()
  const words: string[] = []
  let start = -1
  for (let at = 0; at < lower.length; at += 1) {
    const code = lower.charCodeAt(at)
    if (code >= TABLE_LENGTH) return lower.match(WORD) ?? []
    if (PARTS_OF_WORDS[code] === 1) {
      if (start === -1) start = at
    } else if (start !== -1) {
      words.push(lower.slice(start, at))
      start = -1
    }
  }
  if (start !== -1) words.push(lower.slice(start))
  return words
}

const WORD = /[\p{L}\p{N}_]+/gu

/** Counts the words and numbers of a text, without making a string of each. */
export function countWords(text: string): number {
  let words = 0
  let isInWord = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= TABLE_LENGTH) return text.match(WORD)?.length ?? 0
    const isPart = PARTS_OF_WORDS[code] === 1
    if (isPart && !isInWord) words += 1
    isInWord = isPart
  }
  return words
}

/** Characters of European scripts and common punctuation, which a table of this length covers. */
const TABLE_LENGTH = 0x2100

const PART_OF_WORD = /[\p{L}\p{N}_]/u

/** 1 for the characters that words consist of, by code. */
const PARTS_OF_WORDS = Uint8Array.from({ length: TABLE_LENGTH }, (_, code) =>
  PART_OF_WORD.test(String.fromCharCode(code)) ? 1 : 0,
)
