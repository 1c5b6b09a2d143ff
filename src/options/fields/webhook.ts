import type { OptionSchemas, SchemaBuilder } from '../../convert/format.js'
import { REPORT_EVENTS, type ReportEvent } from '../../ledger/outbox.js'
import { isWebUrl, type UrlLike } from '../../url.js'
import { headersSchema } from './headers.js'

/** Receiver of a job's reports. A URL is short for `{ url }`. */
export interface Webhook {
  /**
   * http or https URL, of a public address unless the engine has `allowPrivateNetworks`. Reports go straight there, by no
   * proxy; a redirect is not followed.
   */
  url: UrlLike
  /**
   * Sent with each report. `X-Firecrawl-Signature` is set by the job, from the engine's `webhookSecret`, and cannot be given.
   * @default {}
   */
  headers?: Readonly<Record<string, string>> | undefined
  /** Sent back in each report. @default {} */
  metadata?: Readonly<Record<string, string>> | undefined
  /**
   * Events that are reported: `started`, before all others; `page`, for each document and for each page that failed; and of
   * `completed`, `failed` and `cancelled` the one that the job comes to, after all others: a job that was stopped (`stoppedBy`) is
   * not there yet. `cancelled` is not in the interface.
   * @default all of them
   */
  events?: readonly ReportEvent[] | undefined
}

/** @see docs/compatibility.md#webhooks @internal */
export const webhookSchema = (z: SchemaBuilder) => {
  // A webhook's URL may hold a secret: no message shows it.
  const url = z.string().refine(isHttp, { error: 'not an http or https URL' })
  const webhook = z.strictObject({
    url,
    headers: headersSchema(z, ['x-firecrawl-signature']).optional(),
    metadata: z.record(z.string(), z.string(), { error: 'not an object of strings' }).optional(),
    events: z.array(z.enum(REPORT_EVENTS)).optional(),
  } satisfies OptionSchemas<Webhook>)
  return z.union([url, webhook])
}

const isHttp = (text: string): boolean => URL.canParse(text) && isWebUrl(new URL(text))
