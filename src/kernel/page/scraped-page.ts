import { toSentence } from '../../base/text/to-sentence.js'
import { openDeadline } from '../../base/concurrency/deadline.js'
import { validatorsOf } from '../cache/revalidate.js'
import type { Digest } from '../../content/digest/digest.js'
import type { DropPlan } from '../../content/digest/drop-plan.js'
import type { FoundLink } from '../../content/extract/extracted-page.js'
import { readRobotsFacts } from '../../content/extract/structured-data/meta-robots.js'
import type { Extras } from '../enrich/enrich.js'
import type { DetectedBlock } from '../../content/challenge/detect-challenge.js'
import type { LeftPage } from '../fetch/fetched-page.js'
import { leftPagesOf } from '../fetch/http/left-page.js'
import type { LastSeen } from '../fetch/fetcher.js'
import type { FeatureAttempt } from '../ledger/ledger.js'
import { agentOf } from '../plan/crawl/plan-crawl.js'
import { pickCreditTerms } from '../plan/page-credits.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import { toLastSeen } from '../snapshot/detect-unchanged.js'
import type { Fingerprint } from '../../base/text/fingerprint/similarity.js'
import { makeUuid } from '../../base/uuid.js'
import { assembleDocument, type DocumentParts, type PageResults } from './assemble-document.js'
import { digestAgain } from './digest-page.js'
import type { FeatureResults, PageRefusal, RefusedLinks } from './feature-steps.js'
import type { Document, DocumentMetadata } from './document.js'
import type { ObtainedPage, SiteResponse } from './obtain-page.js'
import type { PageContext } from './page-context.js'

/** Links of the pages that led on to a page by themselves. */
export interface LeftLinks {
  /** Absent if there are none. */
  readonly leftLinks?: readonly FoundLink[]
  /** Set when some of them may be missing. */
  readonly isLeftCut?: true
}

/** A page at the end of the pipeline. */
export interface ScrapedPage extends LeftLinks {
  readonly document: Document
  /** All links of the raw page. */
  readonly links: readonly FoundLink[]
  /** Links that a crawl must not follow; undefined for none. */
  readonly refusedLinks?: RefusedLinks
  /** Name of the fetcher that loaded the page; `cache` or `record` if none was needed. */
  readonly fetcher: string
  /** Reason for choosing that fetcher; undefined for plain HTTP, which is tried first. */
  readonly fetcherReason: string | undefined
  /** Challenges and refusals of earlier attempts; undefined if there were none, and for a page from the cache. */
  readonly blockedBy: readonly DetectedBlock[] | undefined
  /** Fields of the attempt that features add; absent where the page asks for none, and where nothing of it may be kept. */
  readonly ofFeatures?: FeatureAttempt
  /** Fingerprint of the content, for near-duplicates; only in a crawl. */
  readonly fingerprint: Fingerprint | undefined
  /** Findings of the reading of the plan on the page; undefined without one, and for a page that was not digested. */
  readonly found: unknown
  /** Facts for the comparison with other pages of a job, by feature; absent for none. */
  readonly shared?: Extras['shared']
  /** Makes the document again from the raw page, with another part of it left out. */
  convertAgain(drop: DropPlan, signal: AbortSignal): Promise<Document>
  /** Size of the raw page, which stays in memory as long as this object. Bytes. */
  readonly rawBytes: number
  /** The `Link` header. */
  readonly linkHeader: string | undefined
  /** Speed and status of the site's response; undefined if no request was sent. */
  readonly siteResponse: SiteResponse | undefined
  /** Time of the fetch. Milliseconds since the epoch. */
  readonly fetchedAtMs: number
  /** Reason why the page is the one seen before; such a page is not digested. */
  readonly unchanged?: string
  /** Set if the page must not be handed out, because a feature refuses it. Its document has no content. */
  readonly refused?: PageRefusal
  /** Identifies this version of the page, for change detection. */
  toLastSeen(): Promise<LastSeen>
}

/** Makes the scraped page from the results of all stations. */
export function toScrapedPage(context: PageContext, obtained: ObtainedPage, results: PageResults): ScrapedPage {
  const { page, cached, siteResponse } = obtained
  const { digest } = results
  const parts: DocumentParts = {
    ...results,
    robotsFacts: readRobotsFacts(digest.metadata, page.headers['x-robots-tag'], agentOf(context.plan)),
    terms: pickCreditTerms(context.plan),
  }
  const scrapeId = makeUuid(context.tools.now())
  const { feature } = context.plan.digest.drop ?? {}
  const { tells } = digest
  const told = feature !== undefined && tells !== undefined && { [feature]: { tells, asks: tells } }
  const { added, extras } = results
  const { shared } = extras
  const left = page.leftPages && toLeftLinks(page.leftPages, context.plan)
  return {
    document: assembleDocument(context, obtained, parts, scrapeId),
    links: digest.links,
    refusedLinks: results.refusedLinks,
    fetcher: cached.page ? 'cache' : page.fetcher,
    fetcherReason: cached.page ? undefined : page.fetcherReason,
    blockedBy: cached.page ? undefined : page.blocks,
    fingerprint: digest.fingerprint,
    found: digest.found,
    convertAgain: async (drop, signal) => {
      using deadline = openDeadline(context.request.url, context.plan.fetch.timeoutMs, signal)
      const again = await digestAgain(context, obtained, drop, deadline.signal)
      return assembleDocument(context, obtained, { ...parts, isMadeAgain: true, digest: again }, scrapeId)
    },
    rawBytes: page.body.byteLength,
    linkHeader: page.headers['link'],
    siteResponse,
    fetchedAtMs: page.fetchedAtMs,
    toLastSeen: () => toLastSeen(page, validatorsOf(page)),
    ofFeatures: added && !context.plan.zeroDataRetention ? context.tools.features.describeAttempt(added) : undefined,
    shared: told ? { ...shared, ...told } : shared,
    leftLinks: left?.leftLinks,
    isLeftCut: left?.isLeftCut,
  }
}

/** Finds the links of the pages that led on to one that failed. @param url that was requested */
export const findLeftLinks = (error: unknown, url: string, plan: ScrapePlan): LeftLinks =>
  toLeftLinks(leftPagesOf(error, url), plan)

function toLeftLinks(pages: readonly LeftPage[], plan: ScrapePlan): LeftLinks {
  const leftLinks = pages.flatMap(({ links, metadata, robotsTag }): FoundLink[] => {
    const isNofollow = readRobotsFacts(metadata, robotsTag, agentOf(plan)).nofollow === true
    return links.map(({ url, nofollow }) => ({ url, text: '', nofollow: nofollow ?? (isNofollow || undefined) }))
  })
  const isLeftCut = pages.some(({ isCut }) => isCut)
  return { leftLinks: leftLinks.length > 0 ? leftLinks : undefined, isLeftCut: isLeftCut || undefined }
}

/** A page that a feature refuses, with what features have found on it. */
interface RefusedParts {
  readonly refused: PageRefusal
  readonly refusedLinks: RefusedLinks
  readonly found: FeatureResults
}

/** Makes the scraped page of a page that must not be handed out: its links and its address, without content. */
export function toRefusedPage(
  { request, tools, plan }: PageContext,
  { page, cached, siteResponse }: ObtainedPage,
  { links, metadata: own }: Digest,
  { refused, refusedLinks, found }: RefusedParts,
): ScrapedPage {
  const metadata: Document['metadata'] = {
    ...readRobotsFacts(own, page.headers['x-robots-tag'], agentOf(plan)),
    scrapeId: makeUuid(tools.now()),
    sourceURL: request.sourceURL,
    url: page.url,
    statusCode: page.statusCode,
    proxyUsed: page.proxy === 'enhanced' ? 'stealth' : 'basic',
    creditsUsed: 0,
  }
  const additions = tools.features.describe(found, { formats: {}, markdown: undefined, isMadeAgain: false })
  const fields = Object.assign({}, ...additions.map((addition) => addition.fields)) as Partial<Document>
  const stated = Object.assign({}, ...additions.map((addition) => addition.metadata)) as Partial<DocumentMetadata>
  return {
    ...toUnreadPage({
      document: { ...fields, metadata: { ...metadata, ...stated } },
      links: links.map(withoutText),
      refusedLinks,
      fetcher: cached.page ? 'cache' : page.fetcher,
      fetcherReason: cached.page ? undefined : page.fetcherReason,
      blockedBy: cached.page ? undefined : page.blocks,
      rawBytes: page.body.byteLength,
      siteResponse,
      fetchedAtMs: page.fetchedAtMs,
      refused,
      toLastSeen: () => toLastSeen(page, validatorsOf(page)),
    }),
    linkHeader: page.headers['link'],
    ...toLeftLinks(page.leftPages ?? [], plan),
  }
}

/** Keeps what a crawl needs to follow a link: the texts of a refused page must not reach a model that judges links. */
const withoutText = ({ url, nofollow }: FoundLink): FoundLink => ({ url, text: '', nofollow })

/** Makes the scraped page of an unchanged page: its site answered 304, or its bytes are the same. */
export function toUnchangedPage(
  { request, tools }: PageContext,
  { page, siteResponse }: ObtainedPage,
  lastSeen: LastSeen,
  verdict: { readonly refused?: PageRefusal; readonly unchanged: string },
): ScrapedPage {
  const isUnsent = page.statusCode === 304
  const metadata: Document['metadata'] = {
    scrapeId: makeUuid(tools.now()),
    sourceURL: request.sourceURL,
    url: page.url,
    statusCode: isUnsent ? 200 : page.statusCode,
    proxyUsed: page.proxy === 'enhanced' ? 'stealth' : 'basic',
    creditsUsed: 0,
  }
  return toUnreadPage({
    document: { metadata },
    links: [],
    fetcher: page.fetcher,
    fetcherReason: verdict.unchanged,
    blockedBy: page.blocks,
    rawBytes: page.body.byteLength,
    siteResponse,
    fetchedAtMs: page.fetchedAtMs,
    ...verdict,
    toLastSeen: async () => (isUnsent ? lastSeen : toLastSeen(page, validatorsOf(page))),
  })
}

/** Returns an unread page with warnings about its request. */
export function withWarnings(page: ScrapedPage, warnings: readonly string[] = []): ScrapedPage {
  if (warnings.length === 0) return page
  const document = { ...page.document, warning: warnings.map(toSentence).join(' ') }
  return { ...page, document, convertAgain: async () => document }
}

/** Makes the scraped page of a page that is not digested. Its document is complete and never made again. */
export const toUnreadPage = (
  facts: Omit<ScrapedPage, 'fingerprint' | 'found' | 'convertAgain' | 'linkHeader'>,
): ScrapedPage => ({
  ...facts,
  fingerprint: undefined,
  found: undefined,
  convertAgain: async () => facts.document,
  linkHeader: undefined,
})
