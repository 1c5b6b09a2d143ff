import type { Recollection } from '../cache/recall.js'
import { countCredits, type CreditTerms } from '../accounting/credits.js'
import type { Digest } from '../digest/digest.js'
import type { Document, DocumentMetadata } from './document.js'
import type { Extras } from '../enrich/enrich.js'
import type { RobotsFacts } from '../extract/structured-data/meta-robots.js'
import type { DroppedBlock } from '../extract/fidelity/dropped-block.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { PageRequest } from '../fetch/fetcher.js'
import type { PageModelUsage } from '../llm/model-client.js'
import { moreWarnings } from '../text/more-of-list.js'

/** What came of each station. */
export interface DocumentParts {
  readonly request: PageRequest
  readonly fetched: FetchedPage
  readonly digest: Digest
  readonly extras: Extras
  /** What was asked of a model. */
  readonly model: PageModelUsage
  readonly cached: Recollection
  readonly scrapeId: string
  /** What the page asks of those who index it. */
  readonly robotsFacts: RobotsFacts
  /** On what terms it is paid for. */
  readonly terms: CreditTerms
  /** What stations after the digest had to say. */
  readonly warnings: readonly (string | undefined)[]
}

/** What only the scrape itself may say, also by being absent: a meta tag of such a name is left out. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  'error',
  'contentType',
  'cacheState',
  'cachedAt',
  'depth',
  'discoveredFrom',
  'noindex',
  'nofollow',
  'learntBoilerplate',
  'hydratedFrom',
  'numPages',
  'totalPages',
  'modelRequests',
  'modelInputTokens',
  'modelOutputTokens',
  'modelCost',
])

const priceOf = ({ fetched, cached, digest, extras, terms }: DocumentParts): number =>
  countCredits({
    ...terms,
    isEnhanced: fetched.proxy === 'enhanced' && !cached.page,
    pdfPages: digest.facts?.numPages ?? 1,
    work: extras.work,
  })

const withoutOwnNames = (metadata: Digest['metadata']): Digest['metadata'] =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => !OWN_NAMES.has(name)))

/** Dropped blocks that a document names. */
const MAX_DROPPED = 20

const describeDropped = ({ selector, characters, reason }: DroppedBlock): string =>
  `${selector} (${characters} characters): ${reason}`

/** What a model took; nothing for a page that none was asked about. */
function describeUsage({
  requests,
  cacheHits,
  inputTokens,
  outputTokens,
  cost,
}: PageModelUsage): Partial<DocumentMetadata> {
  if (requests + cacheHits === 0) return {}
  return {
    modelRequests: requests,
    modelInputTokens: inputTokens,
    modelOutputTokens: outputTokens,
    ...(cost > 0 && { modelCost: cost }),
  }
}

/** A page from a browser was looked at there, where it is seen what is shown; for one that the caller has, there are no actions. */
function tellHeldBack({ fetched, digest }: DocumentParts): string {
  if (digest.heldBack === undefined || fetched.browserWaitMs !== undefined || fetched.fetcher === 'input') return ''
  const { sign, seen } = digest.heldBack
  return `${moreWarnings[sign]} It is seen by its mark-up: ${seen}.`
}

/** The document of a page. What the server said wins over what the page says of itself. @see docs/compatibility.md#metadata */
export function assembleDocument(parts: DocumentParts): Document {
  const { request, fetched, digest, extras, cached } = parts
  const metadata: DocumentMetadata = {
    ...withoutOwnNames(digest.metadata),
    ...parts.robotsFacts,
    scrapeId: parts.scrapeId,
    sourceURL: request.sourceURL,
    url: fetched.url,
    statusCode: fetched.statusCode,
    proxyUsed: fetched.proxy === 'enhanced' ? 'stealth' : 'basic',
    creditsUsed: priceOf(parts),
    ...digest.facts,
    ...describeUsage(parts.model),
  }
  if (fetched.contentType !== undefined) metadata.contentType = fetched.contentType
  if (fetched.error !== undefined) metadata.error = fetched.error
  if (cached.state !== undefined) metadata.cacheState = cached.state
  if (fetched.hydratedFrom !== undefined) metadata.hydratedFrom = fetched.hydratedFrom
  if (cached.page) metadata.cachedAt = new Date(cached.page.fetchedAtMs).toISOString()
  if (digest.dropped !== undefined)
    metadata.learntBoilerplate = digest.dropped.slice(0, MAX_DROPPED).map(describeDropped)
  const warnings = [
    fetched.warnings ?? [],
    digest.warnings,
    tellHeldBack(parts),
    extras.warnings,
    cached.warning,
    parts.warnings,
  ].flat()
  const warning = warnings.filter(Boolean).join(' ')
  const { fidelity, trace } = digest
  return {
    ...digest.fields,
    ...extras.fields,
    ...digest.parts,
    ...(extras.actions ? { actions: extras.actions } : {}),
    ...(warning === '' ? {} : { warning }),
    ...(fidelity && { fidelity }),
    ...(trace && { trace: [...trace] }),
    metadata,
  }
}
