import type { Document } from '../../page/document.js'
import type { JobLedger, LedgerRow } from '../../ledger/ledger.js'
import { type CheckedRowQuery, planRows, refuseAfter, type RowQuery } from '../../plan/plan-rows.js'
import { withScheme } from '../../url.js'
import { yieldIfHeld } from '../../concurrency/yield-turn.js'
import type { JobStrategy } from '../job-strategy.js'

/** Rows read at once. */
const BATCH = 500

/**
 * Lists the rows of a job, in order of discovery, some at a time.
 *
 * @throws InvalidRequestError at once for an option that is not allowed, at the first row for an `after` that the job does not
 *   have
 */
export const listRows = (
  query: RowQuery | undefined,
  ledger: Promise<JobLedger<Document>>,
  script: Pick<JobStrategy, 'keyOf'>,
): AsyncIterableIterator<LedgerRow> => readRows(planRows(query), ledger, script)

async function* readRows(
  { outcome, reason, after, limit = Infinity }: CheckedRowQuery,
  opening: Promise<JobLedger<Document>>,
  script: Pick<JobStrategy, 'keyOf'>,
): AsyncGenerator<LedgerRow, void, void> {
  const ledger = await opening
  let last = after === undefined ? undefined : await findKey(after, ledger, script)
  for (let left = limit; left > 0; left -= BATCH) {
    const rows = await ledger.rows({ outcome, reason, after: last, limit: Math.min(left, BATCH) })
    // A copy: the ledger's own row goes on, and is nobody's to change.
    for (const row of rows) yield { ...row }
    last = rows.at(-1)?.key
    if (last === undefined) return
    await yieldIfHeld()
  }
}

/** The key of the row that is meant by its URL or key. */
async function findKey(
  after: string,
  ledger: JobLedger<Document>,
  { keyOf }: Pick<JobStrategy, 'keyOf'>,
): Promise<string> {
  const spelt = withScheme(after)
  const keys = [after, ...(URL.canParse(spelt) ? [keyOf(new URL(spelt))] : [])]
  for (const key of keys) {
    const row = await ledger.row(key)
    if (row && !row.abridged) return key
  }
  throw refuseAfter(after)
}
