import type { LedgerRow, RowFilter } from '../ledger.js'

/** Selects rows by a filter, in their order. @param from index of the first row to test */
export function filterRows(
  rows: readonly LedgerRow[],
  from: number,
  { outcome, reason, skip = 0, limit = Infinity }: RowFilter,
): readonly LedgerRow[] {
  const found: LedgerRow[] = []
  let passed = 0
  for (let at = from; at < rows.length && found.length < limit; at++) {
    const row = rows[at]
    if (!row || (outcome !== undefined && row.outcome !== outcome)) continue
    if (reason !== undefined && row.refusal?.reason !== reason) continue
    if (passed++ >= skip) found.push(row)
  }
  return found
}
