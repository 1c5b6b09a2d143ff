import type { FetchPlan } from '../../../kernel/fetch/fetcher.js'
import type { CachePlan } from '../../../kernel/cache/cache.js'
import type { DigestPlan } from '../../../content/digest/digest.js'
import { toTrawlError } from '../../../base/errors.js'
import type { ListTemplate } from '../../../content/extract/list/page-list.js'
import type { NextPage } from '../../../content/extract/pagination/find-next-page.js'
import type { ExpandPlan } from '../../../kernel/fetch/browser-plan.js'
import type { FetchedPage } from '../../../kernel/fetch/fetched-page.js'
import { readLinkHeader } from '../../../base/http/link-header.js'
import type { RequestsForPage } from '../../../kernel/page/feature-steps.js'
import { resolveUrl, withoutFragment } from '../../../base/url.js'
import type { WholeListPlan } from './list-ending.js'
import type { ListTasks } from './list-tasks.js'
import type { ListPage } from './follow-pages.js'

/** A page whose list is read to its end. */
export interface ListContext extends WholeListPlan {
  readonly plan: { readonly digest: DigestPlan }
  /** The page's own deadline. */
  readonly deadline: { readonly signal: AbortSignal }
  readonly requests: RequestsForPage
  readonly tasks: ListTasks
}

/** A further page to read: a page after the first, or the first page again. */
interface FurtherRequest {
  readonly url: string
  /** Describes the list to find. @default the main list of the page */
  readonly template?: ListTemplate
  /** Set to load the whole list of the page in a browser. */
  readonly expand?: ExpandPlan
}

/** Plans a further page as the first, without what is for the first page only, and reads nothing but its list. */
function planFurtherPage(
  { plan, requests }: ListContext,
  { url, template, expand }: FurtherRequest,
): { readonly cache: CachePlan; readonly fetch: FetchPlan; readonly digest: DigestPlan } {
  const { cache, fetch } = requests.plan(url)
  const { parse, extract, convert } = plan.digest
  return {
    // The page as it is without `expand` is in the cache.
    cache: expand ? { ...cache, read: false, write: false } : cache,
    fetch: expand ? { ...fetch, needsBrowser: ['all'], browser: { ...fetch.browser, expand } } : fetch,
    digest: {
      parse,
      extract: { ...extract, fidelity: false, list: { ...extract.list, template } },
      convert: { ...convert, formats: [] },
    },
  }
}

/** A further page that was fetched and digested. */
export interface FurtherPage extends ListPage {
  readonly fetched: FetchedPage
}

/** Returns the next page that the `Link` header of a page names. */
export function nextInHeader({ headers, url }: FetchedPage): NextPage | undefined {
  const link = readLinkHeader(headers['link']).find(({ relation }) => relation.split(' ').includes('next'))
  const next = link && resolveUrl(link.target, url)
  return next && { url: withoutFragment(next).href, evidence: 'the `Link` header' }
}

/**
 * Does a part of reading a list within its time, so that an error costs the page a part of its rows only.
 *
 * @param signal aborts when the time of the list is up
 * @returns the result, or the reason why there is none: the time was up, or an error
 * @throws the reason of the page's own signal
 */
export async function withinTime<Result>(
  { deadline }: { readonly deadline: { readonly signal: AbortSignal } },
  signal: AbortSignal,
  work: Promise<Result>,
): Promise<Result | string> {
  try {
    return await work
  } catch (error) {
    deadline.signal.throwIfAborted()
    return signal.aborted ? TIME_IS_UP : `The list could not be read further: ${toTrawlError(error).message}`
  }
}

/** Sentence for a list whose time was up. */
const TIME_IS_UP = 'The `timeout` of the page was nearly up.'

/**
 * Fetches a further page of a list with the options of the first, and reads its list. Actions and captures are for the
 * first page only.
 *
 * @returns the reason if the page may not be requested or cannot be read
 * @throws the signal's reason
 */
export async function readFurtherPage(
  context: ListContext,
  further: FurtherRequest,
  signal: AbortSignal,
): Promise<FurtherPage | string> {
  const { requests } = context
  const { digest: digestPlan, ...plans } = planFurtherPage(context, further)
  const read = await requests.request({ url: further.url, ...plans }, signal, async (obtained) => {
    const { page } = obtained
    const made = await requests.digest(obtained, digestPlan, signal)
    if ('refused' in made) return { denial: `${page.url}: ${made.refused}` }
    const { lists, nextPage } = made.digest
    return { url: page.url, list: lists?.[0], next: nextPage ?? nextInHeader(page), fetched: page }
  })
  return typeof read === 'object' && read.denial !== undefined ? read.denial : read
}
