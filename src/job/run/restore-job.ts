import type { Document } from '../../page/document.js'
import type { JobLedger, LedgerRow } from '../../ledger/ledger.js'
import { yieldTurn } from '../../concurrency/yield-turn.js'
import type { DeferredPages } from '../boilerplate/deferred-pages.js'
import type { JobStrategy, JobContext } from '../job-strategy.js'
import { readNote } from './page-note.js'

/** Rows gone through between two turns of the event loop. */
const SLICE = 1000

/** What a job that goes on has to learn again. */
interface Restored {
  readonly ledger: JobLedger<Document>
  readonly script: JobStrategy
  readonly stage: JobContext
  readonly held: DeferredPages
}

/**
 * Teaches a job what it knew in an earlier process: pages are taken up in the same order as then, and what they left as
 * notes is heard again in the order in which they ended.
 */
export async function restoreJob({ ledger, script, stage, held }: Restored): Promise<void> {
  const rows = await ledger.rows()
  const taken = rows.filter(({ order }) => order !== undefined).toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
  for (const [index, row] of taken.entries()) {
    if (index % SLICE === SLICE - 1) await yieldTurn()
    if (script.learnsFrom?.(row)) held.begin(row, stage.now())
  }
  await script.restore?.(rows, hear(ledger, held), stage)
  if (!script.restore) for await (const heard of hear(ledger, held)) void heard
  for (const row of taken) {
    if (row.outcome !== 'queued') held.teach(row)
    else if (row.attempts.length > 0) held.postpone(row)
  }
}

async function* hear(
  ledger: JobLedger<Document>,
  held: DeferredPages,
): AsyncGenerator<{ row: LedgerRow; note: unknown }, void, void> {
  for await (const { row, note } of ledger.notes()) {
    const { page, blocks } = readNote(note)
    held.teach(row, blocks)
    if (page !== undefined) yield { row, note: page }
  }
}
