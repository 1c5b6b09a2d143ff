import type { Document } from './document.js'
import type { LastSeen } from '../fetch/fetcher.js'
import { compact } from '../collections/compact.js'
import { type ScrapedPage, toUnreadPage } from './scraped-page.js'
import type { PageRecord, RecordedLink } from '../snapshot/crawl-record.js'
import { withoutFragment } from '../url.js'
import { makeUuid } from '../uuid.js'

/** A page that an earlier crawl recorded. */
export interface KnownPage {
  readonly lastSeen: LastSeen
  /** Reason why the page is unchanged for certain; absent when its site is to be asked. */
  readonly unchanged?: string
  /** Restores the page from the record. @param answer the page as its site has it now, where that was asked */
  restore(answer?: ScrapedPage): ScrapedPage
}

/** Makes the known page of a record. @param unchanged why it is certain not to have changed */
export function knowPage(record: PageRecord, sourceURL: string, nowMs: number, unchanged?: string): KnownPage {
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
      unchanged: answer?.unchanged ?? unchanged ?? 'as it was',
      see: () => answer?.see() ?? lastSeen,
    })
  }
  return { lastSeen, ...compact({ unchanged }), restore }
}

const toFoundLink = ({ url, nofollow }: RecordedLink): ScrapedPage['links'][number] => ({
  url,
  text: '',
  ...(nofollow && { nofollow }),
})
