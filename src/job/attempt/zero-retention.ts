import type { Document } from '../../page/document.js'
import { errorTable } from '../../errors.js'
import type { Attempt, Ending } from '../../ledger/ledger.js'
import type { RowAttempt } from './attempt-row.js'

/** An ending as a ledger may keep it. */
export const withoutDocuments = (ending: Ending<Document>): Ending<Document> =>
  ending.outcome === 'done' ? { ...ending, documents: [] } : ending

/** A turn without anything that may be quoted from a page: what an error said, what a guard was known by, its picture. */
export function redactQuotes(turn: RowAttempt): RowAttempt {
  const { ending, attempt } = turn
  return {
    ...turn,
    ...(ending !== 'retry' && ending.outcome === 'failed'
      ? { ending: { ...ending, error: errorTable[ending.code].means } }
      : {}),
    ...(attempt && { attempt: withoutQuotes(attempt) }),
  }
}

function withoutQuotes(whole: Attempt): Attempt {
  const { screenshot: _, blocks, error, ...attempt } = whole
  return {
    ...attempt,
    ...(attempt.code !== undefined && error !== undefined && { error: errorTable[attempt.code].means }),
    ...(blocks && { blocks: blocks.map(({ vendor }) => ({ ...(vendor && { vendor }), evidence: 'not kept' })) }),
  }
}
