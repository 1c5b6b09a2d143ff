import type { OptionSchemas, SchemaBuilder } from '../../content/convert/format.js'
import { REPORT_EVENTS, type ReportEvent } from '../../kernel/ledger/outbox.js'
import { isWebUrl, type UrlLike, parseUrl } from '../../base/url.js'
import { mustBe } from '../../kernel/options/issues/describe-issue.js'
import { headersSchema } from '../../kernel/options/fields/headers.js'

/** Receiver of a job's reports. A URL is short for `{ url }`. */
export interface Webhook {
  /**
   * http or https URL, of a public address unless the engine has `allowPrivateNetworks`. Reports are sent without a proxy,
   * and redirects are not followed.
   */
  url: UrlLike
  /**
   * Headers of each report. `X-Firecrawl-Signature` cannot be given: the job sets it, from the engine's `webhookSecret`.
   * @default {}
   */
  headers?: Readonly<Record<string, string>> | undefined
  /** Values that each report contains, for the receiver. @default {} */
  metadata?: Readonly<Record<string, string>> | undefined
  /**
   * Events that are reported: `started`, before all others; `page`, for each document and for each failed page; and
   * `completed`, `failed` or `cancelled`, after all others. A stopped job (`stoppedBy`) has not ended, and reports none of
   * the last three. `cancelled` is not in the interface.
   * @default all of them
   */
  events?: readonly ReportEvent[] | undefined
}

/** Creates the schema of a {@link Webhook}. @see docs/compatibility.md#webhooks @internal */
export const webhookSchema = (z: SchemaBuilder) => {
  const { url, fields } = receiverSchemas(z)
  const webhook = z.strictObject({
    ...fields,
    events: z.array(z.enum(REPORT_EVENTS)).optional(),
  } satisfies OptionSchemas<Webhook>)
  return z.union([url, webhook])
}

/** Creates the schemas of the fields that every receiver of reports has. @internal */
export const receiverSchemas = (z: SchemaBuilder) => {
  // No message shows the URL, which may hold a secret.
  const url = z.string().refine(isHttp, { error: 'not an http or https URL (not shown)' })
  const fields = {
    url,
    headers: headersSchema(z, ['x-firecrawl-signature']).optional(),
    metadata: z.record(z.string(), z.string(), mustBe('an object of strings')).optional(),
  }
  return { url, fields }
}

function isHttp(text: string): boolean {
  const url = parseUrl(text)
  return url !== undefined && isWebUrl(url)
}
