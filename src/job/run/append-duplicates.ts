import type { Document } from '../../page/document.js'
import type { UrlCandidate, Ending, JobLedger, LedgerRow, Source } from '../../ledger/ledger.js'
import type { JobStrategy } from '../job-strategy.js'

/** What a page that is named once more gives, when it was scraped before. */
interface Named {
  readonly documents: readonly Document[]
  readonly bytes: number
}

/** A page's document for a further place in the list: it costs nothing again. */
export function copyFor(document: Document, row: LedgerRow, { url }: Source, script: JobStrategy): Document {
  const copy = script.describe(document, row, url)
  return { ...copy, metadata: { ...copy.metadata, creditsUsed: 0 } }
}

/** An ending with a document for each place that the row has now: it may have been named again while it was made. */
export function coverSources(ending: Ending<Document>, row: LedgerRow, script: JobStrategy): Ending<Document> {
  const { sources = [] } = row
  if (ending.outcome !== 'done' || ending.documents.length >= sources.length) return ending
  const [first] = ending.documents
  if (!first) return ending
  const late = sources.slice(ending.documents.length).map((source) => copyFor(first, row, source, script))
  return { ...ending, documents: [...ending.documents, ...late] }
}

/**
 * Adds URLs to a batch that runs. A page that it knows is not fetched again, unless its document was not kept.
 *
 * @param admit takes up what is new
 * @param give told of documents that are there at once
 */
export async function appendDuplicates(
  candidates: readonly UrlCandidate[],
  job: {
    readonly ledger: JobLedger<Document>
    readonly script: JobStrategy
    readonly webhook: { readonly pagesAtMs: number | undefined }
  },
  admit: (candidates: readonly UrlCandidate[]) => Promise<unknown>,
  give: (named: Named) => void,
): Promise<void> {
  const { ledger, script, webhook } = job
  const fresh: UrlCandidate[] = []
  for (const candidate of candidates) {
    const { key, sources = [] } = candidate
    const row = await ledger.row(key)
    const named =
      row &&
      (await ledger.nameAgain(
        key,
        sources,
        (document, source) => copyFor(document, row, source, script),
        webhook.pagesAtMs,
      ))
    if (named) give(named)
    else fresh.push(row ? { ...candidate, key: `${key} ${sources[0]?.order}` } : candidate)
  }
  await admit(fresh)
}
