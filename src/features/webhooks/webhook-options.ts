import type { OptionSchemas, SchemaBuilder } from '../../content/convert/format.js'
import { REPORT_EVENTS, type ReportEvent } from '../../kernel/ledger/outbox.js'
import { type Receiver, receiverSchemas } from '../../kernel/options/fields/receiver.js'
import { urlToString, type UrlLike } from '../../base/url.js'

/** Receiver of a job's reports. A URL is short for `{ url }`. */
export interface Webhook extends Receiver {
  /**
   * Events that are reported: `started`, before all others; `page`, for each document and for each failed page; `paused`,
   * when pages of a host wait for a login; and
   * `completed`, `failed` or `cancelled`, after all others. A stopped job (`stoppedBy`) has not ended, and reports none of
   * the last three. `cancelled` and `paused` are not in the interface.
   * @default all of them
   */
  events?: readonly ReportEvent[]
}

/** Option of jobs that report to a webhook. */
export interface WebhookOptions {
  /** Receiver of the job's reports. */
  webhook?: UrlLike | Webhook
}

/** Reports of a job to its webhook. */
export interface WebhookPlan {
  readonly url: string
  /** Headers of each report. */
  readonly headers: Readonly<Record<string, string>>
  /** Values that each report contains, for the receiver. */
  readonly metadata: Readonly<Record<string, string>>
  readonly events: readonly ReportEvent[]
}

/** Creates the schema of a {@link Webhook}. @see docs/compatibility/jobs.md#webhooks @internal */
export const webhookSchema = (z: SchemaBuilder) => {
  const { url, fields } = receiverSchemas(z)
  const webhook = z.strictObject({
    ...fields,
    events: z.array(z.enum(REPORT_EVENTS)).optional(),
  } satisfies OptionSchemas<Webhook>)
  return z.union([url, webhook])
}

/** Plans the reports of a job; undefined without a webhook. @see docs/compatibility/jobs.md#webhooks */
export function planWebhook({ webhook }: WebhookOptions): WebhookPlan | undefined {
  if (webhook === undefined) return undefined
  const { url, headers = {}, metadata = {}, events = REPORT_EVENTS } = isReceiver(webhook) ? webhook : { url: webhook }
  return { url: urlToString(url), headers: { ...headers }, metadata: { ...metadata }, events: [...events] }
}

const isReceiver = (webhook: UrlLike | Webhook): webhook is Webhook => typeof webhook === 'object' && 'url' in webhook
