/** Maximum length of a name that is compared, because the comparison costs the product of both lengths. Characters. */
const MAX_COMPARED_LENGTH = 40

/**
 * Finds the name that was probably meant by a misspelt one: with at most one edit for every four of its letters, and
 * at least one. Undefined if none is similar.
 */
export function findSimilarName(name: string, candidates: readonly string[]): string | undefined {
  const folded = foldName(name)
  const same = candidates.find((candidate) => foldName(candidate) === folded)
  if (same !== undefined) return same
  if (name.length > MAX_COMPARED_LENGTH) return undefined
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: countEdits(folded, foldName(candidate)) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(candidate.length / 4)))
    .sort((a, b) => a.edits - b.edits)
  return best?.candidate
}

/** Normalises case, separators and plural of a name: `Raw-HTML` and `rawHtml` are one. */
const foldName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/s$/, '')

/**
 * Counts the letters to insert, delete, replace or swap until one word is the other.
 *
 * @see https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance, optimal string alignment
 */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  let rowBefore: number[] = []
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1]
    for (const [column, other] of Array.from(to).entries()) {
      const replace = (row[column] ?? 0) + (letter === other ? 0 : 1)
      const isSwapped = letter === to[column - 1] && from[index - 1] === other
      const swap = isSwapped ? (rowBefore[column - 1] ?? 0) + 1 : Infinity
      next.push(Math.min(replace, swap, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    rowBefore = row
    row = next
  }
  return row.at(-1) ?? 0
}
