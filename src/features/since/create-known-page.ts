import { compact } from '../../base/collections/compact.js'
import { withoutFragment } from '../../base/url.js'
import { makeUuid } from '../../base/uuid.js'
import type { LastSeen } from '../../kernel/fetch/fetcher.js'
import type { Document } from '../../kernel/page/document.js'
import type { KnownPage } from '../../kernel/page/known-page.js'
import { type ScrapedPage, toUnreadPage } from '../../kernel/page/scraped-page.js'
import type { PageRecord, RecordedLink } from './crawl-record.js'

/** Creates the known page of a record. @param unchanged reason why it is certainly unchanged */
export function createKnownPage(record: PageRecord, sourceURL: string, nowMs: number, unchanged?: string): KnownPage {
  const url = record.finalUrl ?? record.url
  const { etag, lastModified, bodyHash, links = [] } = record
  const seenAt = withoutFragment(new URL(url)).href
  const validators = { url: seenAt, ...compact({ etag, lastModified }) }
  const hasValidators = etag !== undefined || lastModified !== undefined
  const lastSeen: LastSeen = { bodyHash, url: seenAt, validators: hasValidators ? validators : undefined }
  const changeTracking = {
    previousScrapeAt: new Date(record.scrapedAtMs).toISOString(),
    changeStatus: 'same',
    visibility: 'visible',
  } as const

  const restore = (answer: ScrapedPage | undefined): ScrapedPage => {
    const own: Document['metadata'] = answer?.document.metadata ?? {
      scrapeId: makeUuid(nowMs),
      sourceURL,
      url,
      statusCode: record.statusCode,
      proxyUsed: 'basic',
      creditsUsed: 0,
    }
    const document: Document = {
      ...compact({ warning: answer?.document.warning }),
      changeTracking,
      metadata: { ...record.metadata, ...own, statusCode: record.statusCode, sourceURL },
    }
    return toUnreadPage({
      document,
      links: links.map(toFoundLink),
      fetcher: answer?.fetcher ?? 'record',
      fetcherReason: answer?.fetcherReason ?? unchanged,
      blockedBy: answer?.blockedBy,
      rawBytes: 0,
      siteResponse: answer?.siteResponse,
      fetchedAtMs: answer?.fetchedAtMs ?? record.scrapedAtMs,
      unchanged: answer?.unchanged ?? unchanged ?? 'unchanged',
      ...compact({ refused: answer?.refused }),
      toLastSeen: async () => answer?.toLastSeen() ?? lastSeen,
    })
  }
  return { lastSeen, gaveDocument: record.gaveDocument, ...compact({ unchanged }), restore }
}

const toFoundLink = ({ url, nofollow }: RecordedLink): ScrapedPage['links'][number] => ({
  url,
  text: '',
  nofollow,
})
