import type { Document } from './document.js'
import type { LastSeen } from '../fetch/fetcher.js'
import { compact } from '../../base/collections/compact.js'
import { type ScrapedPage, toUnreadPage } from './scraped-page.js'
import type { PageRecord, RecordedLink } from '../../features/since/crawl-record.js'
import { withoutFragment } from '../../base/url.js'
import { makeUuid } from '../../base/uuid.js'

/** A page in the record of an earlier crawl, which `since` compares with. */
export interface KnownPage {
  readonly lastSeen: LastSeen
  /** True when the page gave a document then. */
  readonly gaveDocument: boolean
  /** Reason why the page is certainly unchanged; absent if its site must be asked. */
  readonly unchanged?: string
  /** Called with what its site has given, if it was asked: undefined for no page. */
  readonly onAnswer?: (page: ScrapedPage | undefined) => void
  /** Creates the scraped page from the record. @param answer the response of its site, if it was asked */
  restore(answer?: ScrapedPage): ScrapedPage
}

/** Creates the known page of a record. @param unchanged reason why it is certainly unchanged */
export function createKnownPage(record: PageRecord, sourceURL: string, nowMs: number, unchanged?: string): KnownPage {
  const url = record.finalUrl ?? record.url
  const { etag, lastModified, bodyHash, links = [] } = record
  const validators = {
    url: withoutFragment(new URL(url)).href,
    ...compact({ etag, lastModified }),
  }
  const hasValidators = etag !== undefined || lastModified !== undefined
  const lastSeen: LastSeen = { bodyHash, ...(hasValidators && { validators }) }
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
  ...(nofollow && { nofollow }),
})
