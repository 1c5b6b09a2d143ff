import type { Document } from './document.js'
import type { LastSeen } from '../fetch/fetcher.js'
import type { ScrapedPage } from './pipeline.js'
import type { PageRecord, RecordedLink } from '../snapshot/crawl-record.js'
import { withoutFragment } from '../url.js'
import { makeUuid } from '../uuid.js'

/** A page that an earlier crawl has left in its record. */
export interface KnownPage {
  readonly lastSeen: LastSeen
  /** Why it is not even asked for; absent when its site is to be asked. */
  readonly unchanged?: string
  /** The page as it is given when it has not changed. @param answer what its site said, when it was asked */
  restore(answer?: ScrapedPage): ScrapedPage
}

/** What a page with this record is told by, and what is given for it. */
export function knowPage(record: PageRecord, sourceURL: string, nowMs: number, unchanged?: string): KnownPage {
  const url = record.finalUrl ?? record.url
  const { etag, lastModified, bodyHash, links = [] } = record
  const validators = {
    url: withoutFragment(new URL(url)).href,
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
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
    return {
      document,
      links: links.map(toFoundLink),
      fetcher: answer?.fetcher ?? 'record',
      fetcherReason: answer?.fetcherReason ?? unchanged,
      blockedBy: answer?.blockedBy,
      fingerprint: undefined,
      blocks: undefined,
      again: async () => document,
      rawBytes: 0,
      linkHeader: undefined,
      visit: answer?.visit,
      fetchedAtMs: answer?.fetchedAtMs ?? record.scrapedAtMs,
      unchanged: answer?.unchanged ?? unchanged ?? 'as it was',
      see: () => answer?.see() ?? lastSeen,
    }
  }
  return { lastSeen, ...(unchanged !== undefined && { unchanged }), restore }
}

const toFoundLink = ({ url, nofollow }: RecordedLink): ScrapedPage['links'][number] => ({
  url,
  text: '',
  ...(nofollow && { nofollow }),
})
