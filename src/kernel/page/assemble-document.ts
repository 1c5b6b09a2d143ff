import { countCredits, type CreditTerms } from '../../base/accounting/credits.js'
import type { Digest } from '../../content/digest/digest.js'
import type { DropPlan } from '../../content/digest/drop-plan.js'
import type { Document, DocumentMetadata } from './document.js'
import type { Extras } from '../enrich/enrich.js'
import type { RobotsFacts } from '../../content/extract/structured-data/meta-robots.js'
import type { PageModelUsage } from '../../base/llm/model-client.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import { moreWarnings } from '../../base/text/more-of-list.js'
import { toSentence } from '../../base/text/to-sentence.js'
import { makeUuid } from '../../base/uuid.js'
import type { DocumentAddition, FeatureResults, RefusedLinks } from './feature-steps.js'
import type { ObtainedPage } from './obtain-page.js'
import type { PageContext } from './page-context.js'
import type { FetchedPage } from '../fetch/fetched-page.js'

/** Results of the stations after the page was obtained. */
export interface PageResults {
  readonly digest: Digest
  readonly extras: Extras
  /** Requests to the language model, and their tokens. */
  readonly model: PageModelUsage
  /** Results of the features; absent where none has found anything. */
  readonly added?: FeatureResults
  /** Links that features have found, and that a crawl must not follow. */
  readonly refusedLinks?: RefusedLinks
  /** Warnings of the stations after the digest. */
  readonly warnings: readonly (string | undefined)[]
}

/** Parts of a document beside the raw page. */
export interface DocumentParts extends PageResults {
  /** Directives for indexers, from the page's meta tags and headers. */
  readonly robotsFacts: RobotsFacts
  /** Terms that change the page's price. */
  readonly terms: CreditTerms
  /** True if the document is made again, with another part of the page left out. @default false */
  readonly isMadeAgain?: boolean
}

/**
 * Metadata that only the scrape sets. A meta tag of the page with such a name is left out, because it could be mistaken
 * for it where the scrape sets nothing.
 */
const OWN_NAMES: ReadonlySet<string> = new Set([
  'error',
  'contentType',
  'cacheState',
  'cachedAt',
  'depth',
  'discoveredFrom',
  'noindex',
  'nofollow',
  'hydratedFrom',
  'crawlerPrice',
  'numPages',
  'totalPages',
  'modelRequests',
  'modelInputTokens',
  'modelOutputTokens',
  'modelCost',
])

const priceOf = (
  { page, cached }: ObtainedPage,
  { digest, extras, terms }: DocumentParts,
  additions: readonly DocumentAddition[],
): number =>
  countCredits({
    ...terms,
    furtherPages: additions.reduce((sum, { furtherPages = 0 }) => sum + furtherPages, 0),
    isEnhanced: page.proxy === 'enhanced' && !cached.page,
    pdfPages: digest.facts?.numPages ?? 1,
    work: extras.work,
  })

function withoutOwnNames(metadata: Digest['metadata'], names: ReadonlySet<string>): Digest['metadata'] {
  const isOwn = (name: string): boolean => OWN_NAMES.has(name) || names.has(name)
  return Object.keys(metadata).some(isOwn)
    ? Object.fromEntries(Object.entries(metadata).filter(([name]) => !isOwn(name)))
    : metadata
}

/** Describes the use of the language model. */
function describeUsage({ requests, inputTokens, outputTokens, cost }: PageModelUsage): Partial<DocumentMetadata> {
  return {
    modelRequests: requests,
    modelInputTokens: inputTokens,
    modelOutputTokens: outputTokens,
    ...(cost > 0 && { modelCost: cost }),
  }
}

/**
 * Warns that a page shows only a part of a list, by its markup. Not for a page from the browser, which warns about what
 * it really shows, and not for a page that the caller supplied, on which no action could load the rest.
 */
function warnOfMore({ page }: ObtainedPage, { sign, evidence }: NonNullable<Digest['partialList']>): string {
  if (page.browserWaitMs !== undefined || page.fetcher === 'input') return ''
  return `${moreWarnings[sign]} The evidence is in its markup: ${evidence}.`
}

/** Words of a whole page up to which a form with a password is its subject: where it was redirected to, and at its own address. */
const [MAX_MOVED_WORDS, MAX_OWN_WORDS] = [150, 60]
/** Start of a page that is searched for the form. Bytes. */
const MAX_BYTES = 500_000

const PASSWORD = /<input\b[^<>]{0,1000}?\btype\s{0,5}=\s{0,5}["']?password\b/i
/** Matches the path of a page that is about an account: whoever asks for it gets what he asked for. */
const NAMES_LOGIN = /log-?[io]n|sign-?(?:in|on|up)|auth|account|regist|join|passw/i

/** Warns about a page that shows the form of a login in place of the text that was asked for. @param words on the whole page */
function warnOfLogin(
  { url, body }: Pick<FetchedPage, 'url' | 'body'>,
  { asked, words }: { readonly asked: string; readonly words: number },
): string {
  const [from, to] = [new URL(asked).pathname, new URL(url).pathname]
  const isMoved = from !== to
  if (NAMES_LOGIN.test(from) || (!isMoved && words > MAX_OWN_WORDS)) return ''
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, MAX_BYTES)).toString('latin1')
  if (!PASSWORD.test(start)) return ''
  const place = isMoved ? `it leads to ${to.replace(/[()]/g, '').slice(0, 100)}, which has` : 'it has'
  return `The page seems to ask for a login (${place} a form with a password and little else): see docs/guides/authentication.md.`
}

/**
 * Warns about a successful page without content, because the site sent none or the tags of the request leave none, and about one with
 * little but a login.
 */
function warnOfLittle({ page }: ObtainedPage, { fields, fidelity }: Digest, asked: string): string {
  if (!isSuccessStatus(page.statusCode)) return ''
  if (page.body.byteLength === 0) return 'The page is empty.'
  const words = fidelity?.visibleWords
  const login = words !== undefined && words <= MAX_MOVED_WORDS ? warnOfLogin(page, { asked, words }) : ''
  if (login !== '' || (fields.markdown !== '' && fields.html !== '')) return login
  if (words === undefined) return 'The content of the page is empty.'
  return words === 0 ? 'The page has no text.' : `The content has none of the page's ${words} visible words.`
}

/** Adds the blocks that the part of a feature has left out to the results, as that of this feature. */
const withDropped = (results: FeatureResults = new Map(), drop: DropPlan | undefined, dropped: Digest['dropped']) =>
  drop ? new Map([...results, [drop.feature, dropped]]) : results

const NO_ADDITIONS: readonly DocumentAddition[] = []

/** @see https://developers.cloudflare.com/ai-crawl-control/features/pay-per-crawl/ */
const PAYMENT_REQUIRED = 402

/**
 * Assembles the document of a page. Facts from the server take precedence over those that the page states.
 *
 * @param scrapeId identifies the scrape. @default a new one
 * @see docs/compatibility/documents.md#metadata
 */
export function assembleDocument(
  { request, tools, plan }: PageContext,
  obtained: ObtainedPage,
  parts: DocumentParts,
  scrapeId = makeUuid(tools.now()),
): Document {
  const { page: fetched, cached } = obtained
  const { digest, extras } = parts
  const { isMadeAgain = false } = parts
  const added = digest.dropped ? withDropped(parts.added, plan.digest.drop, digest.dropped) : parts.added
  const additions = added
    ? tools.features.describe(added, { formats: extras.fields, markdown: digest.fields.markdown, isMadeAgain })
    : NO_ADDITIONS
  const metadata: DocumentMetadata = {
    ...withoutOwnNames(digest.metadata, tools.features.metadataNames),
    ...parts.robotsFacts,
    scrapeId,
    sourceURL: request.sourceURL,
    url: fetched.url,
    statusCode: fetched.statusCode,
    proxyUsed: fetched.proxy === 'enhanced' ? 'stealth' : 'basic',
    creditsUsed: priceOf(obtained, parts, additions),
    ...digest.facts,
    ...(parts.model.requests + parts.model.cacheHits > 0 && describeUsage(parts.model)),
  }
  if (fetched.contentType !== undefined) metadata.contentType = fetched.contentType
  if (fetched.error !== undefined) metadata.error = fetched.error
  if (cached.state !== undefined) metadata.cacheState = cached.state
  if (fetched.hydratedFrom !== undefined) metadata.hydratedFrom = fetched.hydratedFrom
  const price = fetched.headers['crawler-price']
  if (fetched.statusCode === PAYMENT_REQUIRED && price !== undefined) metadata.crawlerPrice = price.slice(0, 200)
  if (cached.page) metadata.cachedAt = new Date(cached.page.fetchedAtMs).toISOString()
  for (const addition of additions) Object.assign(metadata, addition.metadata)
  const warnings = [
    fetched.warnings ?? [],
    digest.warnings,
    digest.partialList ? warnOfMore(obtained, digest.partialList) : '',
    // A warning of the digest says why there is nothing.
    additions.some(({ hasContent }) => hasContent) || digest.warnings.length > 0
      ? ''
      : warnOfLittle(obtained, digest, request.url),
    extras.warnings,
    cached.warning,
    parts.warnings,
    plan.warnings ?? [],
  ].flat()
  const warning = warnings.flatMap((text) => (text === undefined || text === '' ? [] : [toSentence(text)])).join(' ')
  const { fidelity, trace, hidden } = digest
  return {
    ...digest.fields,
    ...(Object.assign({}, ...additions.map(({ fields }) => fields)) as Partial<Document>),
    ...extras.fields,
    ...digest.parts,
    ...(extras.actions ? { actions: extras.actions } : {}),
    ...(warning === '' ? {} : { warning }),
    ...(fidelity && { fidelity }),
    ...(trace && { trace: [...trace] }),
    ...(hidden && { hidden: [...hidden] }),
    metadata,
  }
}
