/** How much of one text another has. */
export interface Likeness {
  /** The share of the reference's words that the other text has at all. */
  readonly words: number
  /** The share of them that it has in the same order: the longest common subsequence. */
  readonly order: number
}

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}'
const WORD = new RegExp(`[${CJK}]|[\\p{L}\\p{M}\\p{N}]+`, 'gu')

/** The words of a text, in lower case; of scripts without spaces the characters. Words broken at the end of a line are whole. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\u00ad/g, '')
    .replace(/[\u064b-\u0652\u0640\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/(\p{L})[-\u2010\u2011]\s*\n\s*(?=\p{L})/gu, '$1')
    .replace(/(\p{L})[-\u2010\u2011](?=\p{L})/gu, '$1')
  return plain.match(WORD) ?? []
}

/** Compares a text with a reference, word by word. */
export function compareWords(reference: readonly string[], text: readonly string[]): Likeness {
  const counts = new Map<string, number>()
  for (const word of text) counts.set(word, (counts.get(word) ?? 0) + 1)
  let found = 0
  for (const word of reference) {
    const left = counts.get(word) ?? 0
    if (left > 0) found += 1
    counts.set(word, left - 1)
  }
  const all = Math.max(1, reference.length)
  return { words: found / all, order: countCommon(reference, text) / all }
}

/** The length of a longest common subsequence, about: by runs of words that occur once in both, and exactly between them. */
function countCommon(a: readonly string[], b: readonly string[], run = 4): number {
  if (a.length * b.length <= 4_000_000 || run === 0) return countExactly(a, b)
  const anchors = findAnchors(a, b, run)
  if (anchors.length === 0) return countCommon(a, b, run - 1)
  let [common, fromA, fromB] = [0, 0, 0]
  for (const [atA, atB] of anchors) {
    common += 1 + countCommon(a.slice(fromA, atA), b.slice(fromB, atB), run - 1)
    ;[fromA, fromB] = [atA + 1, atB + 1]
  }
  return common + countCommon(a.slice(fromA), b.slice(fromB), run - 1)
}

/** Places in both where the same run of words stands that stands nowhere else, in the same order. */
function findAnchors(a: readonly string[], b: readonly string[], run: number): (readonly [number, number])[] {
  const [inA, inB] = [placesOf(a, run), placesOf(b, run)]
  const pairs = [...inA].flatMap(([key, at]) => {
    const other = inB.get(key)
    return at < 0 || other === undefined || other < 0 ? [] : [[at, other] as const]
  })
  // The longest rising row of places in `b`.
  const ends: number[] = []
  const before: number[] = []
  pairs.forEach(([, place], index) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1
      else high = middle
    }
    before[index] = low === 0 ? -1 : (ends[low - 1] ?? -1)
    ends[low] = index
  })
  const chosen: (readonly [number, number])[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at]
    if (pair) chosen.push(pair)
  }
  return chosen.reverse()
}

/** Where each run of words begins; -1 for one that occurs more than once. */
function placesOf(words: readonly string[], run: number): Map<string, number> {
  const places = new Map<string, number>()
  for (let at = 0; at + run <= words.length; at++) {
    const key = words.slice(at, at + run).join(' ')
    places.set(key, places.has(key) ? -1 : at)
  }
  return places
}

/** The length of a longest common subsequence; of texts too long for it, only as far as they go in step. */
function countExactly(a: readonly string[], b: readonly string[]): number {
  let [start, endA, endB] = [0, a.length, b.length]
  while (start < endA && start < endB && a[start] === b[start]) start++
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1]
  const same = start + a.length - endA
  const [left, right] = [a.slice(start, endA), b.slice(start, endB)]
  if (left.length === 0 || right.length === 0 || left.length * right.length > 60_000_000) return same
  let row = new Int32Array(right.length + 1)
  for (const word of left) {
    const next = new Int32Array(right.length + 1)
    right.forEach((other, index) => {
      next[index + 1] = word === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0)
    })
    row = next
  }
  return same + (row[right.length] ?? 0)
}
