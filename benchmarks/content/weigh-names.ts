/** Words of class names and ids around a block of a page. */
export interface NameUse {
  readonly words: readonly string[]
  readonly site: string
  readonly label: number
  readonly weight: number
}

/** Minimum number of sites that use a word. A word on fewer sites may be specific to one author. */
const MIN_SITES = 10
/** Additive smoothing of the log-odds. */
const SMOOTHING = 0.5

/** Returns the log-odds of each word to be in the names of elements around content, rather than around the rest. */
export function weighNames(uses: Iterable<NameUse>): Map<string, number> {
  const tallies = new Map<string, { content: number; rest: number; readonly sites: Set<string> }>()
  for (const { words, site, label, weight } of uses) {
    if (weight <= 0) continue
    for (const word of words) {
      if (word.length < 3 || word.length > 20) continue
      const tally = tallies.get(word) ?? { content: 0, rest: 0, sites: new Set<string>() }
      tallies.set(word, tally)
      tally.content += weight * label
      tally.rest += weight * (1 - label)
      tally.sites.add(site)
    }
  }
  const weights = new Map<string, number>()
  for (const [word, { content, rest, sites }] of tallies)
    if (sites.size >= MIN_SITES)
      weights.set(word, Number(Math.log((content + SMOOTHING) / (rest + SMOOTHING)).toFixed(2)))
  return weights
}
