import { RecentIntSet } from '../../../base/collections/recent-int-set.js'
import { RecentMap } from '../../../base/collections/recent-map.js'

/** The part of a page's fingerprint that shows if its content is new. */
interface PageContent {
  /** 16 hexadecimal digits: equal for equal text. */
  readonly exact: string
  /** 16 hexadecimal digits: equal for texts that differ only in dates, and in words of the page's URL. */
  readonly outline: string
  /** 16 hexadecimal digits: equal for equal words, whatever the links point to; used for short texts. */
  readonly wording: string
  /** Sampled phrases as 32-bit hashes. Sampling is by hash: a phrase that is sampled on one page is sampled on all. */
  readonly samples: readonly number[]
  /** Words and numbers, without dates and words of the page's URL. */
  readonly words: number
}

/** Comparison of a page with the pages before it. */
export interface SeenContent {
  /**
   * - `new`: it has new content
   * - `rearranged`: a selection of the content of other pages, such as a filtered list
   * - `alike`: nearly equal to an earlier page, or equal except for dates and words of its URL
   * - `same`: the same text as an earlier page
   */
  readonly kind: 'new' | 'rearranged' | 'alike' | 'same'
  /** Number of earlier pages with this content; 0 for new and rearranged content. */
  readonly times: number
  /** True when the page has so few words that similarity proves little: a stub, or a frame that a script would fill. */
  readonly tiny: boolean
}

/** Pages with fewer words are tiny. */
const MIN_WORDS = 20
/** Minimum samples to call a page rearranged. */
const MIN_SAMPLES = 8
/** Maximum new samples of a rearranged page; each stands for about four phrases. */
const MAX_NEW_SAMPLES = 3
/**
 * Number of page contents, and of samples, to remember. A trap repeats its recent content, so that older ones need not
 * be known.
 */
const REMEMBERED = 100_000

/** Distinguishes pages with new content from pages that repeat what the job has read. Takes at most 25 MB. */
export class Novelty {
  readonly #exact = new RecentMap<number, number>(REMEMBERED)
  readonly #outlines = new RecentMap<number, number>(REMEMBERED)
  readonly #samples = new RecentIntSet(REMEMBERED)

  /**
   * Classifies a page, and remembers its content.
   *
   * @param times number of earlier near duplicates, as `NearDuplicates` counts them
   */
  classify({ exact, outline, wording, samples, words }: PageContent, times = 0): SeenContent {
    const same = count(this.#exact, toNumber(exact))
    // Both hashes are equal when no word comes from a date or the URL. The page must be counted only once then.
    const forms = new Set([toNumber(outline), toNumber(wording)])
    const alike = Math.max(times, ...[...forms].map((form) => count(this.#outlines, form)))
    const fresh = samples.filter((sample) => !this.#samples.add(sample)).length
    const tiny = words < MIN_WORDS
    if (same > 0) return { kind: 'same', times: same, tiny }
    if (alike > 0) return { kind: 'alike', times: alike, tiny }
    const isRearranged = samples.length >= MIN_SAMPLES && fresh <= Math.min(MAX_NEW_SAMPLES, samples.length / 8)
    return { kind: isRearranged ? 'rearranged' : 'new', times: 0, tiny }
  }
}

/** Increments a count, and returns the count before. */
function count(counts: RecentMap<number, number>, key: number): number {
  const before = counts.get(key) ?? 0
  counts.set(key, before + 1)
  return before
}

const toNumber = (digits: string): number => Number.parseInt(digits.slice(0, 8), 16) | 0
