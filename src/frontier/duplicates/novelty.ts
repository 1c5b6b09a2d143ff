import { RecentIntSet } from '../../collections/recent-int-set.js'
import { RecentMap } from '../../collections/recent-map.js'

/** The part of a page's fingerprint that its newness is judged by. */
export interface PageContent {
  /** 16 hexadecimal digits: the same for the same text. */
  readonly exact: string
  /** 16 hexadecimal digits: the same for texts that differ only in dates, and in words that stand in the page's URL. */
  readonly outline: string
  /** 16 hexadecimal digits: the same for the same words, wherever links lead; short texts are known by it. */
  readonly wording: string
  /** Some of its phrases, as 32-bit hashes; a phrase that is kept for one page is kept for every page. */
  readonly samples: readonly number[]
  /** Words and numbers that are no dates and do not stand in the page's URL. */
  readonly words: number
}

/** How a page stands to those that came before it. */
export interface SeenContent {
  /**
   * - `new`: it says something new
   * - `rearranged`: a selection of what other pages say, as a filtered list is
   * - `alike`: nearly the same as an earlier page, or the same but for dates and what its URL says
   * - `same`: the same text as an earlier page
   */
  readonly kind: 'new' | 'rearranged' | 'alike' | 'same'
  /** How many earlier pages had this content; 0 when it is new or rearranged. */
  readonly times: number
  /** Whether it says so little that being alike proves little: a stub, a frame that a script would fill. */
  readonly tiny: boolean
}

/** Fewer words than this say too little. */
const FEW_WORDS = 20
/** A page with fewer samples cannot be called rearranged. */
const MIN_SAMPLES = 8
/** New samples above which a page says something new; each stands for about four phrases. */
const MAX_NEW_SAMPLES = 3
/** Contents, and samples, after which older ones are forgotten: a trap repeats what it said a moment ago. */
const REMEMBERED = 100_000

/** Tells a page that says something new from one that repeats what this job has read. Holds 25 MB at most. */
export class Novelty {
  readonly #exact = new RecentMap<number, number>(REMEMBERED)
  readonly #outlines = new RecentMap<number, number>(REMEMBERED)
  readonly #samples = new RecentIntSet(REMEMBERED)

  /**
   * Looks at a page, and remembers it.
   *
   * @param times how many pages nearly like it there were before, as `NearDuplicates` counts them
   */
  look({ exact, outline, wording, samples, words }: PageContent, times = 0): SeenContent {
    const same = count(this.#exact, toNumber(exact))
    // Where dates and the URL explain no word, both are one number, and the page is to be counted once.
    const forms = new Set([toNumber(outline), toNumber(wording)])
    const alike = Math.max(times, ...[...forms].map((form) => count(this.#outlines, form)))
    const fresh = samples.filter((sample) => !this.#samples.see(sample)).length
    const tiny = words < FEW_WORDS
    if (same > 0) return { kind: 'same', times: same, tiny }
    if (alike > 0) return { kind: 'alike', times: alike, tiny }
    const isRearranged = samples.length >= MIN_SAMPLES && fresh <= Math.min(MAX_NEW_SAMPLES, samples.length / 8)
    return { kind: isRearranged ? 'rearranged' : 'new', times: 0, tiny }
  }
}

/** Counts once more, and gives back how often it was counted before. */
function count(counts: RecentMap<number, number>, key: number): number {
  const before = counts.get(key) ?? 0
  counts.set(key, before + 1)
  return before
}

const toNumber = (digits: string): number => Number.parseInt(digits.slice(0, 8), 16) | 0
