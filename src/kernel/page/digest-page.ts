import { type ErrorCode, toTrawlError, TrawlError } from '../../base/errors.js'
import type { Digest, DigestPlan } from '../../content/digest/digest.js'
import type { DropPlan } from '../../content/digest/drop-plan.js'
import { channels, runInSpan } from '../../base/tracing/channels.js'
import type { DigestSpan } from '../../base/tracing/spans.js'
import type { ObtainedPage } from './obtain-page.js'
import type { PageRefusal } from './feature-steps.js'
import type { PageContext } from './page-context.js'
import { completeDigest, type PageRewriter, planRewriting } from './page-rewriter.js'

/** Digests a page that may have to be refused. @param suspicion the reason */
export async function digestSuspect(
  context: PageContext,
  obtained: ObtainedPage,
  plan: DigestPlan,
  suspicion: PageRefusal,
): Promise<DigestedPage> {
  const { signal } = context.deadline
  try {
    return { digest: await digestPage(context, obtained, withoutRefusedImages(plan, suspicion), signal) }
  } catch (failure) {
    signal.throwIfAborted()
    // A refused file that nothing can read, such as an image, has no links to follow.
    return { digest: NO_DIGEST, failure: toTrawlError(failure) }
  }
}

const NO_DIGEST: Digest = { fields: {}, metadata: {}, links: [], warnings: [] }

/** A page that was digested. */
export interface DigestedPage {
  readonly digest: Digest
  /** Reason why the page could not be digested: to be thrown, unless it is refused in the end. */
  readonly failure?: TrawlError
}

/** Plans the digest of a page: an image that may have to be refused must not reach the engine's `imageParser`. */
export const withoutRefusedImages = (plan: DigestPlan, suspicion: PageRefusal | undefined): DigestPlan =>
  suspicion === undefined ? plan : { ...plan, parse: { ...plan.parse, skipsImages: true } }

/** Digests a page. A file that cannot be read is an empty page where the file itself is asked for. */
export async function digestOrKeep(context: PageContext, obtained: ObtainedPage, plan: DigestPlan): Promise<Digest> {
  const { signal } = context.deadline
  try {
    return await digestPage(context, obtained, plan, signal)
  } catch (error) {
    if (!plan.parse.keepsUnread || !(error instanceof TrawlError) || !UNREAD.has(error.code)) throw error
    return await digestPage(context, obtained, { ...plan, parse: { ...plan.parse, unread: error.message } }, signal)
  }
}

/** Codes of files that no parser can read, however often it tries: a limit of time or memory depends on the host as well. */
const UNREAD: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'SCRAPE_UNSUPPORTED_FILE_ERROR',
  'SCRAPE_FILE_BROKEN',
  'SCRAPE_FILE_ENCRYPTED',
  'SCRAPE_PDF_OCR_REQUIRED',
  'SCRAPE_DECOMPRESSED_TOO_LARGE',
])

/** Digests a page again, with another part of it left out. Only the document is needed. */
export function digestAgain(
  context: PageContext,
  obtained: ObtainedPage,
  drop: DropPlan,
  signal: AbortSignal,
): Promise<Digest> {
  const { material: _, ...rest } = context.plan.digest
  const { reading: _reading, ...extract } = rest.extract
  return digestPage(context, obtained, { ...rest, extract, fingerprint: false, drop }, signal)
}

/** Parses, extracts and converts a page, in a worker thread where there are any, and as a span where there are subscribers. */
export function digestPage(
  context: PageContext,
  obtained: ObtainedPage,
  plan: DigestPlan,
  signal: AbortSignal,
): Promise<Digest> {
  const { rewriter } = context.request
  if (rewriter) return digestRewritten(context, obtained, { plan, rewriter }, signal)
  const { snapshot, digest: how, zeroDataRetention } = context.plan
  // A digest that was compared with a snapshot is not stored: no other scrape can use it.
  const mayStore = obtained.mayBeKept && !snapshot?.compares && !how.track && !zeroDataRetention && !plan.rewrite
  const digest = mayStore ? context.tools.cachedDigest : context.tools.digest
  const { sheets } = obtained
  const page = sheets ? { ...obtained.page, sheets } : obtained.page
  if (!channels.digest.hasSubscribers) return digest(page, plan, signal)
  const { url, contentType, body } = page
  const span: DigestSpan = {
    parent: context.request.span,
    url,
    contentType: contentType === undefined ? undefined : mediaTypeOf(contentType),
    bytes: body.byteLength,
  }
  return runInSpan(
    channels.digest,
    span,
    () => digest(page, plan, signal),
    () => ({}),
  )
}

/** Digests a page whose texts are rewritten. Its digest is not stored: it has what was rewritten. */
async function digestRewritten(
  context: PageContext,
  obtained: ObtainedPage,
  { plan, rewriter }: { readonly plan: DigestPlan; readonly rewriter: PageRewriter },
  signal: AbortSignal,
): Promise<Digest> {
  const { rewriter: _, ...request } = context.request
  const make = () => digestPage({ ...context, request }, obtained, planRewriting(plan, rewriter), signal)
  return await completeDigest(await make(), rewriter, plan.track && make, signal)
}

/** Maximum length of a media type: two names of 127 characters and a slash. Characters. @see RFC 6838 section 4.2 */
const MAX_MEDIA_TYPE = 255

/** Returns the media type of a `Content-Type` header, without its parameters. */
const mediaTypeOf = (contentType: string): string =>
  contentType.slice(0, MAX_MEDIA_TYPE).split(';', 1)[0]?.trim().toLowerCase() ?? ''
