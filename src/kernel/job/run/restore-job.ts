import type { Document } from '../../page/document.js'
import type { JobLedger, LedgerRow } from '../../ledger/ledger.js'
import { yieldTurn } from '../../../base/concurrency/yield-turn.js'
import type { DeferredPages } from './deferred-pages.js'
import type { JobContext } from '../job-context.js'
import type { JobStrategy } from '../job-strategy.js'
import { parseJson } from '../../../base/text/parse-json.js'
import { LedgerStream, type DocumentStream } from '../delivery/document-stream.js'
import type { JobLifecycle } from '../lifecycle/job-lifecycle.js'

/** Rows processed between two yields to the event loop. */
const SLICE_SIZE = 1000

/**
 * Rebuilds the state that a job had in an earlier process: replays its pages in the order in which they were started, and their
 * notes in the order in which they ended.
 *
 * @param deferred undefined for a job whose pages tell nothing of others
 */
export async function restoreJob(
  context: JobContext,
  strategy: JobStrategy,
  deferred: DeferredPages | undefined,
): Promise<void> {
  const { ledger } = context
  const rows = await ledger.rows()
  for (const hook of context.hooks) await hook.restore?.(rows)
  const started = rows.filter(({ order }) => order !== undefined).toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
  for (const [index, row] of started.entries()) {
    if (index % SLICE_SIZE === SLICE_SIZE - 1) await yieldTurn()
    deferred?.start(row, context.tools.waitNow())
  }
  const notes = replayNotes(ledger, deferred)
  await strategy.restore(rows, { notes, context })
  for (const row of started) {
    if (row.outcome !== 'queued') deferred?.addTold(row)
    else if (row.attempts.length > 0) deferred?.postpone(row)
  }
}

async function* replayNotes(
  ledger: JobLedger<Document>,
  deferred: DeferredPages | undefined,
): AsyncGenerator<{ row: LedgerRow; note: unknown }, void, void> {
  for await (const { row, note } of ledger.notes()) {
    const { page, ...told } = readNote(note)
    deferred?.addTold(row, told)
    if (page !== undefined) yield { row, note: page }
  }
}

/** Counts the pages and documents that earlier processes produced. */
export async function countEarlier(
  ledger: JobLedger<Document>,
  lifecycle: JobLifecycle,
  stream: DocumentStream,
): Promise<void> {
  lifecycle.earlierDone = (await ledger.counts()).done
  if (stream instanceof LedgerStream) stream.resumeFrom(await ledger.delivered())
}

/** Note about an ended page, stored for a job that resumes in another process. */
interface PageNote {
  /** Plain data for the strategy's `restore`. */
  readonly page?: unknown
  /** Facts that it has for other pages, by feature. */
  readonly [feature: string]: unknown
}

/** Serializes a note; undefined when it is empty. */
export function writeNote({ page, ...told }: PageNote): string | undefined {
  return page === undefined && Object.keys(told).length === 0 ? undefined : JSON.stringify({ page, ...told })
}

export const readNote = (text: string): PageNote => parseJson(text) as PageNote
