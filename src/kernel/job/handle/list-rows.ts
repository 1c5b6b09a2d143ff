import type { LedgerReader } from '../../ledger/ledger.js'
import type { Document } from '../../page/document.js'
import type { LedgerRow } from '../../ledger/ledger.js'
import { type CheckedRowQuery, checkRowQuery, createAfterError, type RowQuery } from '../../plan/row-query.js'
import { withScheme, parseUrl } from '../../../base/url.js'
import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'

/** Names rows: the part of a strategy that finds one by its URL. */
interface RowKeys {
  keyOf(url: URL): string
}

/** Rows read at once. */
const BATCH_SIZE = 500

/**
 * Lists the rows of a job in order of discovery, reading a batch at a time.
 *
 * @param openLedger called for the first row
 * @param reasons all skip reasons that rows can have
 * @throws InvalidRequestError at the call for an invalid option, and at the first row for an `after` that the job does not have
 */
export const listRows = (
  query: RowQuery | undefined,
  openLedger: () => Promise<LedgerReader<Document>>,
  strategy: RowKeys,
  reasons: readonly string[],
): AsyncIterableIterator<LedgerRow> => readRows(checkRowQuery(query, reasons), openLedger, strategy)

async function* readRows(
  { outcome, reason, after, limit = Infinity }: CheckedRowQuery,
  openLedger: () => Promise<LedgerReader<Document>>,
  strategy: RowKeys,
): AsyncGenerator<LedgerRow, void, void> {
  const ledger = await openLedger()
  let last = after === undefined ? undefined : await findKey(after, ledger, strategy)
  for (let left = limit; left > 0; left -= BATCH_SIZE) {
    const rows = await ledger.rows({ outcome, reason, after: last, limit: Math.min(left, BATCH_SIZE) })
    // Copies, because the ledger keeps changing its own rows.
    for (const row of rows) yield { ...row }
    last = rows.at(-1)?.key
    if (last === undefined) return
    await yieldIfHeld()
  }
}

/** Finds the key of a row, given its URL or key. */
async function findKey(after: string, ledger: LedgerReader<Document>, strategy: RowKeys): Promise<string> {
  const url = parseUrl(withScheme(after))
  const keys = [after, ...(url ? [strategy.keyOf(url)] : [])]
  for (const key of keys) {
    const row = await ledger.row(key)
    if (row && !row.abridged) return key
  }
  throw createAfterError(after)
}
