/** Length from which words are compared by their beginnings: shorter ones must be equal. Characters. */
const MIN_STEM = 4

/**
 * Tests whether two words in lower case are likely forms of one word: `index` and `indexing`, `policy` and `policies`.
 *
 * The rule is the same for every language that inflects words at their ends, and needs no dictionary. Both begin with the
 * same four characters or more, which are at least half of the longer word; the shorter one ends there, or one character
 * (two after six) later; the longer one ends at most three characters later, four after five. Words with digits must be
 * equal.
 */
export function areForms(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < MIN_STEM) return false
  const stem = sharedLength(short, long)
  if (stem < MIN_STEM || stem * 2 < long.length) return false
  if (short.length - stem > (stem > 6 ? 2 : 1) || long.length - stem > (stem > 4 ? 4 : 3)) return false
  return !hasDigit(one) && !hasDigit(other)
}

function sharedLength(short: string, long: string): number {
  let at = 0
  while (at < short.length && short.charCodeAt(at) === long.charCodeAt(at)) at += 1
  return at
}

const hasDigit = (word: string): boolean => /\d/.test(word)
