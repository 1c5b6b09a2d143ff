import type { NewResult } from './watch.js'
import type { WatchKey } from './watch-store.js'
import type { WatchReceiver } from './plan-watch.js'
import { makeNamedUuid } from '../../base/uuid.js'
import type { WatchCheck } from './watch.js'

/** Space of the ids of watches. */
const SPACE = '6f0c1d5e-6a5f-5d0b-9d2a-0d6f7c1b9a44'

/** Identifies a watch in reports: the same in any process. */
const monitorIdOf = ({ name, identity }: WatchKey): string => makeNamedUuid(SPACE, `${identity} ${name}`)

/** Writes the report of a page. @see docs/compatibility/jobs.md#webhooks */
export function writePageReport(result: NewResult, { metadata }: WatchReceiver, watch: WatchKey): string {
  const monitorId = monitorIdOf(watch)
  const checkId = makeNamedUuid(monitorId, `check ${result.check}`)
  const { url, status, meaningful, diff, error, warning, statusCode, movedTo, previousAt, checkedAt } = result
  const page = {
    checkId,
    monitorId,
    name: watch.name,
    url,
    status,
    isMeaningful: meaningful,
    judgment: writeJudgment(result),
    previousAt,
    checkedAt,
    diff,
    movedTo,
    statusCode,
    error: error ?? null,
    warning,
  }
  return JSON.stringify({
    success: status !== 'error',
    type: 'monitor.page',
    id: checkId,
    webhookId: makeNamedUuid(checkId, `page ${url}`),
    data: [page],
    error,
    metadata,
  })
}

/** Maximum number of changes in a judgment. The others are in `diff`. */
const MAX_CHANGES = 50

/** Maximum number of reasons in a sentence, which stands in each change. All are in `reasons`. */
const MAX_TOLD = 20

function writeJudgment({ meaningful, reasons, judgedBy, confidence, diff }: NewResult): object {
  const more = reasons.length > MAX_TOLD ? [`and ${reasons.length - MAX_TOLD} more`] : []
  const reason = [...reasons.slice(0, MAX_TOLD).map(({ message }) => message), ...more].join('; ')
  const changes = meaningful ? (diff?.blocks ?? []).filter(({ change }) => change !== 'moved') : []
  return {
    meaningful,
    // Results that were stored by an earlier version have none.
    confidence: confidence ?? 'high',
    reason,
    meaningfulChanges: changes.slice(0, MAX_CHANGES).map(({ change, text = null, previous = null }) => ({
      type: change === 'edited' ? 'changed' : change,
      before: previous,
      after: text,
      reason,
    })),
    reasons,
    judgedBy,
  }
}

/** Writes the report of the end of a check. @see docs/compatibility/jobs.md#webhooks */
export function writeCheckReport(check: WatchCheck, { metadata }: WatchReceiver, watch: WatchKey): string {
  const monitorId = monitorIdOf(watch)
  const checkId = makeNamedUuid(monitorId, `check ${check.number}`)
  const { summary, error, warning, startedAt, completedAt } = check
  const status = error === undefined ? 'completed' : 'failed'
  return JSON.stringify({
    success: error === undefined && summary.error === 0,
    type: 'monitor.check.completed',
    id: checkId,
    webhookId: makeNamedUuid(checkId, 'completed'),
    data: [{ checkId, monitorId, name: watch.name, status, startedAt, completedAt, summary, warning }],
    error,
    metadata,
  })
}
