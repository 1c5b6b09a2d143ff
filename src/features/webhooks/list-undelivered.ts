import { compact } from '../../base/collections/compact.js'
import type { JobKind, RangeOptions } from '../../kernel/job/job.js'
import type { CalledLedger } from '../../kernel/job/job-hooks.js'
import { checkRange } from '../../kernel/job/lifecycle/status.js'
import { findSource, NAME, reportTypeOf, type UndeliveredReport, webhookIdOf } from './write-report.js'

/** Lists the reports that the webhook of a job has not received. @throws InvalidRequestError */
export async function listUndelivered(
  range: RangeOptions,
  { id, kind }: { readonly id: string; readonly kind: JobKind },
  ledger: CalledLedger,
): Promise<readonly UndeliveredReport[]> {
  const reports = await ledger.outbox(NAME).undelivered(checkRange(range))
  return Promise.all(
    reports.map(async (report) => {
      const { event, page, attempts, error, dueAtMs } = report
      const url = page && (await findSource(page, ledger))
      return compact({
        webhookId: webhookIdOf(id, report),
        type: reportTypeOf(kind, event),
        url,
        attempts,
        error,
        nextAttemptAt: dueAtMs === undefined ? undefined : new Date(dueAtMs).toISOString(),
      })
    }),
  )
}
