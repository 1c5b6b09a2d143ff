import { isSuccessStatus } from '../../base/http/statuses.js'
import type { Document } from '../../kernel/page/document.js'
import { type DescribedPage, describePage, type WatchedContext } from './describe-page.js'
import { readFacts } from './watch-state.js'

/**
 * Describes a page that its crawl found before and no longer finds. It is `removed`, also if it still answers, and stays so
 * until the crawl finds it again. An error tells nothing: the page is asked for again in the next check.
 */
export async function describeMissing(document: Document, context: WatchedContext): Promise<DescribedPage> {
  const { known, tools } = context
  const { statusCode } = document.metadata
  if (!known || !isSuccessStatus(statusCode)) return await describePage(document, context)
  const { atMs, finalUrl, noise } = readFacts(known.facts)
  return {
    finding: {
      status: 'removed',
      meaningful: true,
      reasons: [{ field: 'page', message: `the crawl no longer finds the page, which still answers (${statusCode})` }],
      judgedBy: 'rules',
      confidence: 'high',
      checkedAt: new Date(tools.now()).toISOString(),
      previousAt: atMs === undefined ? null : new Date(atMs).toISOString(),
      statusCode,
    },
    facts: {
      isGone: true,
      atMs,
      finalUrl,
      noise,
    },
    markdown: known.markdown,
  }
}
