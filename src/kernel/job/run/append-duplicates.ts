import type { Document } from '../../page/document.js'
import type { UrlCandidate, Ending, JobLedger, LedgerRow, Source } from '../../ledger/ledger.js'
import type { JobReporters } from '../job-reporter.js'
import type { JobStrategy } from '../job-strategy.js'

/** Further positions of a page: the documents for them, or the page if it ended without one. */
interface AddedPositions {
  readonly documents: readonly Document[]
  readonly bytes: number
  /** The row with these positions alone, if it ended without a document. */
  readonly ended?: LedgerRow
}

/** Copies a page's document for a further position in the list. The copy costs no credits. */
function copyDocument(document: Document, row: LedgerRow, { url }: Source, strategy: JobStrategy): Document {
  const copy = strategy.describe(document, row, url)
  return { ...copy, metadata: { ...copy.metadata, creditsUsed: 0 } }
}

/** Adds a document for each position in the list that was added to the row while its page was being scraped. */
export function addMissingCopies(ending: Ending<Document>, row: LedgerRow, strategy: JobStrategy): Ending<Document> {
  const { sources = [] } = row
  if (ending.outcome !== 'done' || ending.documents.length >= sources.length) return ending
  const [first] = ending.documents
  if (!first) return ending
  const copies = sources.slice(ending.documents.length).map((source) => copyDocument(first, row, source, strategy))
  return { ...ending, documents: [...ending.documents, ...copies] }
}

/**
 * Appends URLs to a running batch. A page that the batch has is not fetched again, unless its document was not kept.
 *
 * @param admit admits candidates that are new
 * @param deliver receives documents that are available at once, and pages that have ended without one
 */
export async function appendDuplicates(
  candidates: readonly UrlCandidate[],
  job: {
    readonly ledger: JobLedger<Document>
    readonly strategy: JobStrategy
    readonly reporters: JobReporters | undefined
  },
  admit: (candidates: readonly UrlCandidate[]) => Promise<unknown>,
  deliver: (added: AddedPositions) => void,
): Promise<void> {
  const { ledger, strategy, reporters } = job
  const fresh: UrlCandidate[] = []
  for (const candidate of candidates) {
    const { key, sources = [] } = candidate
    const row = await ledger.row(key)
    const added =
      row &&
      (await ledger.addSources(
        key,
        sources,
        (document, source) => copyDocument(document, row, source, strategy),
        reporters?.ofAddedSources(),
      ))
    if (added) deliver(added)
    else fresh.push(row ? { ...candidate, key: `${key} ${sources[0]?.order}` } : candidate)
  }
  await admit(fresh)
}
