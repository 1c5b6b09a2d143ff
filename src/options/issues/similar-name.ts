/** The one of `names` that a caller most likely meant by `word`; undefined when none comes near. */
export function findSimilarName(word: string, names: readonly string[]): string | undefined {
  const folded = foldName(word)
  const same = names.find((name) => foldName(name) === folded)
  if (same !== undefined) return same
  // A far longer word is no slip of the pen, and the comparison below costs the product of both lengths.
  if (word.length > 40) return undefined
  const [best] = names
    .map((name) => ({ name, slips: countEdits(folded, foldName(name)) }))
    .filter(({ name, slips }) => slips <= Math.max(1, Math.floor(name.length / 4)))
    .sort((a, b) => a.slips - b.slips)
  return best?.name
}

/** Normalises case, separators and plural of a name: `Raw-HTML` and `rawHtml` are one. */
const foldName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/s$/, '')

/** Letters to add, leave out, replace or swap until one word is the other (optimal string alignment). */
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
