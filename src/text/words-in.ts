/** Splits a text into its words and numbers, in lower case. */
export const wordsIn = (text: string): string[] => text.toLowerCase().match(WORD) ?? []

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
