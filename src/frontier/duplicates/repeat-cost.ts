import type { SeenContent } from './novelty.js'
import type { UrlTemplate } from './url-template.js'

/** Repeats that a template may bring before it is refused, when its URLs look as those of traps do, and otherwise. */
const PATIENCE = { suspect: 40, plain: 200 } as const
/** What it may bring on top: one repeat for so many new pages, up to so many. A template that turns bad late ends, too. */
const EARNED = { pages: 10, most: 360 } as const
/**
 * Copies of one content that cost nothing. A trap repeats little without end; an honest site may repeat much, but each
 * page only some times: twenty versions of a manual.
 */
const FREE_COPIES = { volatile: 2, plain: 20 } as const
/** Repeats from one stub to the next before stubs count as repeats: a counter without end has them, a tree has not. */
const LONG_CHAIN = 100
/** Selections of what is known (filtered lists) that a template may bring; one more for each new page of the job. */
const SELECTIONS = 100

/** How many repeats a template may bring that has brought so many new pages. */
export const patienceWith = ({ isVolatile, hasQuery }: UrlTemplate, freshPages: number): number =>
  PATIENCE[isVolatile || hasQuery ? 'suspect' : 'plain'] + Math.min(EARNED.most, Math.floor(freshPages / EARNED.pages))

/**
 * Whether a page counts as new. One that puts together what others say is what lists are for, unless its URL is one of
 * many combinations.
 */
export const isFresh = ({ kind }: SeenContent, { isCombination }: UrlTemplate): boolean =>
  kind === 'new' || (kind === 'rearranged' && !isCombination)

/**
 * What a page that is not new costs its template: 1 for a repeat, less or nothing for what honest sites do as well.
 *
 * @param chain how many repeats in a row led to the page: 0 when the page that links to it said something new
 * @param freshPages new pages of the whole job
 */
export function costOfRepeat(
  { kind, times, tiny }: SeenContent,
  { isVolatile, isCombination, hasQuery }: UrlTemplate,
  { chain, freshPages }: { readonly chain: number; readonly freshPages: number },
): number {
  const isVouchedFor = chain === 0
  if (kind === 'rearranged') return isVouchedFor ? 0 : PATIENCE.suspect / (SELECTIONS + freshPages)
  if (times <= FREE_COPIES[isVolatile ? 'volatile' : 'plain']) return 0
  // A thousand pages may link to a thousand forms with nothing but their own address in the query.
  if (isVouchedFor) return kind === 'same' && hasQuery ? 1 : 0
  return tiny && !isVolatile && !isCombination && chain <= LONG_CHAIN ? 0 : 1
}
