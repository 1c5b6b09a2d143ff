import { openDeadline } from '../../base/concurrency/deadline.js'
import { TrawlError } from '../../base/errors.js'
import type { Rewriter } from '../../content/digest/rewriter.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { PageTools } from './page-context.js'
import { finishDocument, type PageRewriter } from './page-rewriter.js'
import type { ScrapeRequest } from './scrape-request.js'
import type { ScrapedPage } from './scraped-page.js'

type Scrape = (request: ScrapeRequest, plan: ScrapePlan, tools: PageTools, signal: AbortSignal) => Promise<ScrapedPage>

/** Scrapes a page that is rewritten. @throws TrawlError as `scrape`, with its texts rewritten; that of the feature */
export async function scrapeRewritten(
  scrape: Scrape,
  request: ScrapeRequest,
  plan: ScrapePlan,
  { tools, signal }: { readonly tools: PageTools; readonly signal: AbortSignal },
): Promise<ScrapedPage> {
  const { url } = request
  const rewriter = await tools.features.openRewriter(plan.digest.rewrite, { url })
  try {
    const page = await scrape({ ...request, rewriter }, plan, tools, signal)
    using deadline = openDeadline(url, plan.fetch.timeoutMs, signal)
    return await rewritePage(page, rewriter, request, deadline.signal)
  } catch (error) {
    throw rewriteError(error, rewriter, url)
  }
}

async function rewritePage(
  page: ScrapedPage,
  rewriter: PageRewriter,
  request: ScrapeRequest,
  until: AbortSignal,
): Promise<ScrapedPage> {
  const { blockedBy, fetcherReason, ofFeatures, shared, found, leftLinks, linkHeader } = page
  const facts = { blockedBy, fetcherReason, ofFeatures, shared, found }
  await rewriter.read([page.document, facts], until)
  return {
    ...page,
    document: finishDocument(page.document, rewriter, request),
    ...rewriter.rewrite(facts),
    // What is rewritten in them is no address to follow.
    leftLinks: leftLinks?.filter((link) => rewriter.rewrite(link.url) === link.url),
    linkHeader: rewriter.rewrite(linkHeader) === linkHeader ? linkHeader : undefined,
    convertAgain: async (drop, signal) => {
      const document = await page.convertAgain(drop, signal)
      await rewriter.read(document, signal)
      return finishDocument(document, rewriter, request)
    },
  }
}

/** Rewrites what an error says: it may quote the page, or the target of a redirect. */
function rewriteError(error: unknown, rewriter: Rewriter, asked: string): unknown {
  if (!(error instanceof Error)) return error
  const { message, stack } = error
  error.message = rewriter.rewrite(message.replaceAll(asked, KEPT)).replaceAll(KEPT, asked)
  if (stack !== undefined && error.message !== message) error.stack = stack.replace(message, () => error.message)
  if (error instanceof TrawlError && error.url !== undefined && error.url !== asked)
    Object.assign(error, { url: rewriter.rewrite(error.url) })
  return error
}

/** Stands for the URL that was asked for. */
const KEPT = '\u0000'
