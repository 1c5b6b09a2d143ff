import { REPORT_EVENTS } from '../ledger/outbox.js'
import type { CheckedWebhook } from '../options/fields/take-text.js'
import type { WebhookPlan } from './crawl-plan.js'

/** What a job tells, and where: nothing when it has no webhook. @see docs/compatibility.md#webhooks */
export function planWebhook({ webhook }: { webhook?: string | CheckedWebhook | undefined }): { webhook?: WebhookPlan } {
  if (webhook === undefined) return {}
  const {
    url,
    headers = {},
    metadata = {},
    events = REPORT_EVENTS,
  } = typeof webhook === 'string' ? { url: webhook } : webhook
  return { webhook: { url, headers: { ...headers }, metadata: { ...metadata }, events: [...events] } }
}
