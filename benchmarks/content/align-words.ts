/** Maximum number of word pairs in the alignment table. Longer texts are compared by phrases. */
const MAX_PAIRS = 3e8
const PHRASE = 4

/**
 * Marks the words of a page that belong to its reference text: those of the longest common subsequence. Consecutive
 * matches have 1.5 times the weight, so that a single word of a menu is not matched with the text.
 */
export function alignWords(page: readonly string[], reference: readonly string[]): Uint8Array {
  return page.length * reference.length > MAX_PAIRS ? lookUpPhrases(page, reference) : fillTable(page, reference)
}

const PAGE_ONLY = 1
const REFERENCE_ONLY = 2
const BOTH = 3

function fillTable(page: readonly string[], reference: readonly string[]): Uint8Array {
  const numbers = new Map<string, number>()
  const numberOf = (word: string): number => {
    const known = numbers.get(word)
    if (known !== undefined) return known
    numbers.set(word, numbers.size)
    return numbers.size - 1
  }
  const across = Int32Array.from(reference, numberOf)
  const width = across.length + 1
  const steps = new Uint8Array((page.length + 1) * width)
  let above = new Float32Array(width)
  let row = new Float32Array(width)
  let aboveHit = new Uint8Array(width)
  let rowHit = new Uint8Array(width)
  for (let down = 1; down <= page.length; down += 1) {
    const word = numberOf(page[down - 1] ?? '')
    for (let at = 1; at < width; at += 1) {
      let best = above[at] ?? 0
      let step = PAGE_ONLY
      if ((row[at - 1] ?? 0) > best) {
        best = row[at - 1] ?? 0
        step = REFERENCE_ONLY
      }
      if (across[at - 1] === word) {
        const score = (above[at - 1] ?? 0) + 1 + (aboveHit[at - 1] === 1 ? 0.5 : 0)
        if (score >= best) {
          best = score
          step = BOTH
        }
      }
      row[at] = best
      rowHit[at] = step === BOTH ? 1 : 0
      steps[down * width + at] = step
    }
    ;[above, row] = [row, above]
    ;[aboveHit, rowHit] = [rowHit, aboveHit]
    row[0] = 0
    rowHit[0] = 0
  }
  const found = new Uint8Array(page.length)
  for (let down = page.length, at = width - 1; down > 0 && at > 0;) {
    const step = steps[down * width + at]
    if (step === BOTH) found[down - 1] = 1
    if (step !== REFERENCE_ONLY) down -= 1
    if (step !== PAGE_ONLY) at -= 1
  }
  return found
}

function lookUpPhrases(page: readonly string[], reference: readonly string[]): Uint8Array {
  const phraseAt = (words: readonly string[], at: number): string => words.slice(at, at + PHRASE).join(' ')
  const phrases = new Set(reference.slice(PHRASE - 1).map((_, at) => phraseAt(reference, at)))
  const found = new Uint8Array(page.length)
  for (let at = 0; at + PHRASE <= page.length; at += 1)
    if (phrases.has(phraseAt(page, at))) found.fill(1, at, at + PHRASE)
  return found
}
