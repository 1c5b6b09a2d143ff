import type { Digest, DigestPlan } from '../digest/digest.js'
import type { MakeDigest } from '../digest/kept-digests.js'
import type { Fingerprint } from '../text/fingerprint/similarity.js'
import { assembleDocument } from './assemble-document.js'
import { validatorsOf } from '../cache/revalidate.js'
import type { Document } from './document.js'
import { enrich } from '../enrich/enrich.js'
import type { FoundLink } from '../extract/extracted-page.js'
import { readRobotsFacts } from '../extract/structured-data/meta-robots.js'
import type { LearntBlocks, PageBlocks } from '../extract/repeats/repeated-block.js'
import { openDeadline } from '../concurrency/deadline.js'
import type { ModelClient } from '../llm/model-client.js'
import { Spending } from '../llm/spending.js'
import { enrichTools } from './enrich-tools.js'
import { type MediaTools, openPageMedia } from './page-media.js'
import { openPageModel } from './page-model.js'
import type { AsyncPageWorks } from './workers/page-pool.js'
import { openPageTree } from './page-tree.js'
import type { DetectedBlock, FetchedPage } from '../fetch/fetched-page.js'
import type { LastSeen, PageRequest } from '../fetch/fetcher.js'
import { untilAborted } from '../concurrency/until-aborted.js'
import { obtainPage, type GetTools, type GotPage, type SiteVisit } from './obtain-page.js'
import { saveSnapshot } from '../snapshot/save-snapshot.js'
import { loadSnapshot, type LoadedSnapshot } from '../snapshot/load-snapshot.js'
import type { SnapshotPlan } from '../snapshot/snapshot.js'
import { toLastSeen, detectUnchanged } from '../snapshot/detect-unchanged.js'
import type { Store } from '../store/store.js'
import type { MediaSink } from '../media/media.js'
import { termsOf } from '../plan/page-price.js'
import { ROBOTS_AGENT } from '../plan/crawl/plan-crawl.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import { makeUuid } from '../uuid.js'

/** What a page's journey needs of the engine. */
export interface PageTools extends GetTools, MediaTools, AsyncPageWorks {
  readonly digest: MakeDigest
  /** The same, for a page that others may see: what was once made of it may be had from the cache. */
  readonly keptDigest: MakeDigest
  /** Where pages are kept as they were. */
  readonly snapshots: Store
  /** Where pictures and PDF files go; undefined leaves them in the document. */
  readonly media: MediaSink | undefined
  /** The language model; undefined where there is none. */
  readonly model: ModelClient | undefined
  /** The most tokens of a page in one request to it. */
  readonly partTokens: number
}

/** A page at the end of its journey. */
export interface ScrapedPage {
  readonly document: Document
  /** Every link of the raw page. */
  readonly links: readonly FoundLink[]
  /** Which fetcher brought the page, or `cache`. */
  readonly fetcher: string
  /** Why that fetcher; undefined for the plainest, which needs no reason. */
  readonly fetcherReason: string | undefined
  /** What stood in the way before the page came; undefined for nothing, and for a page from the cache. */
  readonly blockedBy: readonly DetectedBlock[] | undefined
  /** What the page's content is compared by; only in a crawl. */
  readonly fingerprint: Fingerprint | undefined
  /** The blocks of the page's content; only where boilerplate is learnt. */
  readonly blocks: PageBlocks | undefined
  /** Makes the document anew from the raw page, without these blocks. */
  again(learnt: readonly LearntBlocks[], signal: AbortSignal): Promise<Document>
  /** Size of the raw page, which is held as long as this is. Bytes. */
  readonly rawBytes: number
  /** The `Link` header. */
  readonly linkHeader: string | undefined
  /** What the site was like; undefined when it was not asked. */
  readonly visit: SiteVisit | undefined
  /** When the page was fetched. Milliseconds since the epoch. */
  readonly fetchedAtMs: number
  /** Why it is the page that was seen before; then nothing was made of it. */
  readonly unchanged?: string
  /** By what the page is known the next time. */
  see(): LastSeen
}

/** A page's whole journey, one station per line. */
export async function scrapePage(
  request: PageRequest,
  plan: ScrapePlan,
  tools: PageTools,
  signal: AbortSignal,
): Promise<ScrapedPage> {
  using deadline = openDeadline(request.url, plan.fetch.timeoutMs, signal)
  using model = openPageModel(request, plan, tools, deadline)
  const { lastSeen } = request
  const timed = { ...request, clock: deadline.clock }
  using got = await obtainPage(timed, lastSeen ? askWhetherChanged(plan, lastSeen) : plan, tools, deadline.signal)
  const { page: fetched, cached, visit } = got
  const finding = lastSeen && detectUnchanged(fetched, lastSeen)
  if (finding === 'ask again') {
    return await scrapePage({ ...request, lastSeen: { bodyHash: lastSeen?.bodyHash ?? '' } }, plan, tools, signal)
  }
  if (finding && lastSeen) return leaveUnread(request, got, tools, finding.unchanged, lastSeen)
  // What a page is compared with is another each time: nothing of that is worth keeping.
  const isKept = got.mayBeKept && !plan.snapshot?.compares && !plan.keepsNothing
  const makeDigest = isKept ? tools.keptDigest : tools.digest
  const before = await recallChanges(request, plan, tools, deadline.signal)
  const digest = await makeDigest(fetched, trackFrom(before, plan), deadline.signal)
  const media = openPageMedia({ request: timed, fetched, plan, tools, signal: deadline.signal }, true)
  const tree = openPageTree(request, fetched, plan, tools, deadline.signal)
  const extras = await enrich(fetched, plan.enrich, enrichTools(tools, before, digest, model.model, media, tree))
  const [unstored, unkept] = await Promise.all([
    inTime(got.remember(), UNCACHED, deadline.signal),
    cached.page ? undefined : inTime(keep(request, fetched, digest, plan, tools), UNKEPT, deadline.signal),
  ])
  const parts = {
    request,
    fetched,
    digest,
    extras,
    model: model.usage,
    cached,
    scrapeId: makeUuid(tools.now()),
    robotsFacts: readRobotsFacts(digest.metadata['robots'], fetched.headers['x-robots-tag'], ROBOTS_AGENT),
    terms: termsOf(plan),
    warnings: [unstored, unkept],
  }
  return {
    document: assembleDocument(parts),
    links: digest.links,
    fingerprint: digest.fingerprint,
    blocks: digest.blocks,
    again: async (learnt, until) => {
      using anew = openDeadline(request.url, plan.fetch.timeoutMs, until)
      const { material: _, ...rest } = plan.digest
      const without = { ...rest, fingerprint: false, learnt }
      return assembleDocument({ ...parts, digest: await makeDigest(fetched, without, anew.signal) })
    },
    rawBytes: fetched.body.byteLength,
    linkHeader: fetched.headers['link'],
    fetcher: cached.page ? 'cache' : fetched.fetcher,
    fetcherReason: cached.page ? undefined : fetched.fetcherReason,
    blockedBy: cached.page ? undefined : fetched.blocks,
    visit,
    fetchedAtMs: fetched.fetchedAtMs,
    see: () => toLastSeen(fetched, validatorsOf(fetched)),
  }
}

const askWhetherChanged = (plan: ScrapePlan, { validators }: LastSeen): ScrapePlan =>
  validators ? { ...plan, fetch: { ...plan.fetch, validators } } : plan

/** A page that is as it was: who keeps it knows what it is. */
function leaveUnread(
  { sourceURL }: PageRequest,
  { page, visit }: GotPage,
  { now }: PageTools,
  unchanged: string,
  lastSeen: LastSeen,
): ScrapedPage {
  const { url, statusCode, fetcher, blocks } = page
  const isUnsent = statusCode === 304
  const document: Document = {
    metadata: {
      scrapeId: makeUuid(now()),
      sourceURL,
      url,
      statusCode: isUnsent ? 200 : statusCode,
      proxyUsed: page.proxy === 'enhanced' ? 'stealth' : 'basic',
      creditsUsed: 0,
    },
  }
  return {
    document,
    links: [],
    fetcher,
    fetcherReason: unchanged,
    blockedBy: blocks,
    fingerprint: undefined,
    blocks: undefined,
    again: async () => document,
    rawBytes: page.body.byteLength,
    linkHeader: undefined,
    visit,
    fetchedAtMs: page.fetchedAtMs,
    unchanged,
    see: () => (isUnsent ? lastSeen : toLastSeen(page, validatorsOf(page))),
  }
}

/** How the page was; undefined when it is not to be compared. */
const recallChanges = async (
  { sourceURL }: PageRequest,
  { snapshot }: ScrapePlan,
  { snapshots }: PageTools,
  signal: AbortSignal,
): Promise<LoadedSnapshot | undefined> =>
  snapshot?.compares ? await untilAborted(loadSnapshot(sourceURL, snapshot, snapshots), signal) : undefined

const trackFrom = (before: LoadedSnapshot | undefined, { digest, snapshot }: ScrapePlan): DigestPlan =>
  snapshot
    ? {
        ...digest,
        track: { ...trackPlanOf(snapshot), ...(before?.snapshot && { previous: before.snapshot.markdown }) },
      }
    : digest

const trackPlanOf = ({ diff, pieces }: SnapshotPlan) => ({ diff, ...(pieces !== undefined && { pieces }) })

/** Keeps the page as it is now. An error page is no state of it: what it was before stands. */
async function keep(
  { sourceURL }: PageRequest,
  { fetchedAtMs, statusCode }: FetchedPage,
  { tracked }: Digest,
  { snapshot }: ScrapePlan,
  { snapshots }: PageTools,
): Promise<string | undefined> {
  if (!snapshot || !tracked || statusCode < 200 || statusCode > 299) return undefined
  return await saveSnapshot(sourceURL, { takenAtMs: fetchedAtMs, markdown: tracked.markdown }, snapshot, snapshots)
}

/** A store that hangs costs a page its time, and not the page itself: that is finished already. */
const inTime = (keeping: Promise<string | undefined>, late: string, signal: AbortSignal): Promise<string | undefined> =>
  untilAborted(keeping, signal).catch(() => late)

const UNCACHED = 'the page could not be cached in time'
const UNKEPT = 'The page’s snapshot could not be kept in time.'

/** The journey of a page that the caller has already: the part of it after fetching. */
export async function parsePage(
  fetched: FetchedPage,
  plan: ScrapePlan,
  tools: PageTools,
  signal: AbortSignal,
): Promise<Document> {
  using deadline = openDeadline(fetched.url, plan.fetch.timeoutMs, signal)
  const request = { url: fetched.url, sourceURL: fetched.url }
  const spending = new Spending(plan.enrich.budget)
  using model = openPageModel({ ...request, spending }, plan, tools, deadline)
  const before = await recallChanges(request, plan, tools, deadline.signal)
  const digest = await tools.digest(fetched, trackFrom(before, plan), deadline.signal)
  const media = openPageMedia({ request, fetched, plan, tools, signal: deadline.signal }, false)
  const tree = openPageTree(request, fetched, plan, tools, deadline.signal)
  const extras = await enrich(fetched, plan.enrich, enrichTools(tools, before, digest, model.model, media, tree))
  const unkept = await inTime(keep(request, fetched, digest, plan, tools), UNKEPT, deadline.signal)
  return assembleDocument({
    request,
    fetched,
    digest,
    extras,
    model: model.usage,
    cached: {},
    scrapeId: makeUuid(tools.now()),
    robotsFacts: {},
    terms: {},
    warnings: [unkept],
  })
}
