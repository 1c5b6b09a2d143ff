import { compact } from '../../../base/collections/compact.js'
import type { Document } from '../../page/document.js'
import { rowOf } from '../../../base/errors.js'
import type { Attempt, Ending } from '../../ledger/ledger.js'
import type { RowAttempt } from './attempt-row.js'

/** Removes the documents from an ending. */
export const withoutDocuments = (ending: Ending<Document>): Ending<Document> =>
  ending.outcome === 'done' ? { ...ending, documents: [] } : ending

/** Removes everything that may quote a page: error messages, evidence of a challenge, screenshots. `toScrapedPage` leaves out what features add. */
export function redactQuotes(result: RowAttempt): RowAttempt {
  if (result.ending === 'retry') return { ...result, attempt: withoutQuotes(result.attempt) }
  const { ending, attempt } = result
  const redacted = ending.outcome === 'failed' ? { ...ending, error: rowOf(ending.code).means } : ending
  return { ...result, ending: redacted, attempt: attempt && withoutQuotes(attempt) }
}

function withoutQuotes(whole: Attempt): Attempt {
  const { screenshot: _, blocks, error, ...attempt } = whole
  return compact({
    ...attempt,
    error: attempt.code !== undefined && error !== undefined ? rowOf(attempt.code).means : undefined,
    blocks: blocks?.map(({ vendor }) => compact({ vendor, evidence: 'not kept' })),
  })
}
