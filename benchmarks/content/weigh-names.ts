/** A word of class names and ids, as it stands around the blocks of a page. */
export interface NameUse {
  readonly words: readonly string[]
  readonly site: string
  readonly label: number
  readonly weight: number
}

/** On fewer sites than these, a word may be one author's habit. */
const MIN_SITES = 10
/** What a word is doubted by at first. */
const DOUBT = 0.5

/** How much more often each word stands around content than around the rest, as a logarithm. */
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
    if (sites.size >= MIN_SITES) weights.set(word, Number(Math.log((content + DOUBT) / (rest + DOUBT)).toFixed(2)))
  return weights
}
