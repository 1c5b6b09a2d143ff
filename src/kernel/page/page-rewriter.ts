import type { Digest, DigestPlan } from '../../content/digest/digest.js'
import { rewriteDigest } from '../../content/digest/digest.js'
import type { Rewriter } from '../../content/digest/rewriter.js'
import { parseUrl } from '../../base/url.js'
import type { Document } from './document.js'

/**
 * Rewrites one page for a feature: what is read of it, what a model is asked, and what is handed out and recorded. Nothing of the page
 * leaves the pipeline in another way.
 */
export interface PageRewriter extends Rewriter {
  /** Takes over what the rewriter of the page's digest has noted. */
  adopt(note: unknown): void
  /**
   * Finds in texts what can only be found by asking. What it finds is rewritten from then on, everywhere.
   *
   * @param signal ends it
   * @returns true if there is more to rewrite
   * @throws TrawlError when it cannot be found: nothing is then handed out; the signal's reason
   */
  read(data: unknown, signal: AbortSignal): Promise<boolean>
  /** Rewrites a document, and says in it what was done. */
  finish(document: Document): Document
}

/** The page of a rewriter. */
export interface RewrittenPage {
  readonly url: string
}

/** Adds what was rewritten on the page so far to the plan of a digest: it has the same placeholders. */
export const planRewriting = (plan: DigestPlan, rewriter: Rewriter): DigestPlan =>
  plan.rewrite ? { ...plan, rewrite: { ...plan.rewrite, note: rewriter.note() } } : plan

/** Completes a digest with what must be asked. @param again digests the page again, for a comparison without what is rewritten */
export async function completeDigest(
  digest: Digest,
  rewriter: PageRewriter,
  again: (() => Promise<Digest>) | undefined,
  signal: AbortSignal,
): Promise<Digest> {
  rewriter.adopt(digest.rewritten)
  const { fields, metadata, links, trace, hidden, material, parts } = digest
  if (!(await rewriter.read([fields, metadata, links, trace, hidden, material, parts], signal))) return digest
  if (!again) return rewriteDigest(digest, rewriter)
  const made = await again()
  rewriter.adopt(made.rewritten)
  return made
}

/** Rewrites a document, but for the URL that was asked for: that is the caller's. */
export function finishDocument(
  document: Document,
  rewriter: PageRewriter,
  { url }: { readonly url: string },
): Document {
  const finished = rewriter.finish(document)
  const { url: own } = document.metadata
  const isAsked = own === url || !parseUrl(finished.metadata.url)
  return isAsked ? { ...finished, metadata: { ...finished.metadata, url } } : finished
}
