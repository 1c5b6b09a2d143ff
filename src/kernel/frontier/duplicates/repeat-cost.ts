import type { SeenContent } from './novelty.js'
import type { UrlTemplate } from '../../../base/url-template.js'

/** Repeats allowed for a URL template before it is refused: one that looks like a trap, and any other. */
const ALLOWED_REPEATS = { suspect: 40, plain: 200 } as const
/**
 * Additional repeats: one for every `pages` new pages, up to `max`. Bounded, so that a template that degrades late is
 * refused too.
 */
const EARNED_REPEATS = { pages: 10, max: 360 } as const
/**
 * Copies of one content that cost nothing. A trap repeats a little content without end; an honest site may repeat much,
 * but each page only a few times, such as twenty versions of a manual.
 */
const FREE_COPIES = { volatile: 2, plain: 20 } as const
/** Consecutive repeats after which stubs count as repeats: an endless counter reaches it, a tree of pages does not. */
const LONG_CHAIN = 100
/** Rearranged pages (such as filtered lists) allowed for a template; one more for each new page of the job. */
const ALLOWED_REARRANGED = 100

/** Returns the number of repeats allowed for a template with this many new pages. */
export const repeatLimit = ({ isVolatile, hasQuery }: UrlTemplate, freshPages: number): number =>
  ALLOWED_REPEATS[isVolatile || hasQuery ? 'suspect' : 'plain'] + earned(freshPages)

const earned = (freshPages: number): number =>
  Math.min(EARNED_REPEATS.max, Math.floor(freshPages / EARNED_REPEATS.pages))

/** Same as {@link repeatLimit}, for the repeats of a whole host. @param grows true for those below the page that links to them */
export const hostLimit = (grows: boolean, freshPages: number): number =>
  ALLOWED_REPEATS[grows ? 'suspect' : 'plain'] + earned(freshPages)

/**
 * Returns true if a page counts as new. Rearranged content is the purpose of lists, so it counts, unless the URL is one
 * of many combinations.
 */
export const isFresh = ({ kind }: SeenContent, { isCombination }: UrlTemplate): boolean =>
  kind === 'new' || (kind === 'rearranged' && !isCombination)

/**
 * Returns the cost of a page that is not new for its template: 1 for a repeat, less or nothing for patterns that honest
 * sites have as well.
 *
 * @param chain consecutive repeats that led to the page: 0 when the page that links to it was new
 * @param isCircle true if the path comes back to a name that it had, below the page that links to it
 * @param freshPages new pages of the whole job
 */
export function costOfRepeat(
  { kind, times, tiny }: SeenContent,
  { isVolatile, isCombination, hasQuery }: UrlTemplate,
  { chain, isCircle, freshPages }: { readonly chain: number; readonly isCircle: boolean; readonly freshPages: number },
): number {
  const isLinkedFromNewPage = chain === 0
  if (kind === 'rearranged')
    return isLinkedFromNewPage ? 0 : ALLOWED_REPEATS.suspect / (ALLOWED_REARRANGED + freshPages)
  if (times <= FREE_COPIES[isVolatile ? 'volatile' : 'plain']) return 0
  // A thousand new pages may link to a thousand copies of one form, whose URLs differ only in a query with the
  // referring URL.
  if (isLinkedFromNewPage) return kind === 'same' && hasQuery ? 1 : 0
  return tiny && !isVolatile && !isCombination && !isCircle && chain <= LONG_CHAIN ? 0 : 1
}
