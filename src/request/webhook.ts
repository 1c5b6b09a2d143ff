import type { OptionSchemas, SchemaBuilder } from '../convert/format.js'
import { isWebUrl } from '../url.js'
import { headersSchema } from './headers.js'

/** Where a job reports to. A string is short for `{ url }`. */
export interface Webhook {
  /** http or https URL. */
  url: string
  /** Sent with each report. `X-Firecrawl-Signature` is set by the job and cannot be given. @default {} */
  headers?: Readonly<Record<string, string>> | undefined
  /** Sent back in each report. @default {} */
  metadata?: Readonly<Record<string, string>> | undefined
  /** Which reports are sent. @default all of them */
  events?: readonly ('completed' | 'failed' | 'page' | 'started')[] | undefined
}

/** @see behaviour 1.6, 5.6 */
export const webhookSchema = (z: SchemaBuilder) => {
  // A webhook's URL may hold a secret: no message shows it.
  const url = z.string().refine(isHttp, { error: 'not an http or https URL' })
  const webhook = z.strictObject({
    url,
    headers: headersSchema(z, ['x-firecrawl-signature']).optional(),
    metadata: z.record(z.string(), z.string(), { error: 'not an object of strings' }).optional(),
    events: z.array(z.enum(['completed', 'failed', 'page', 'started'])).optional(),
  } satisfies OptionSchemas<Webhook>)
  return z.union([url, webhook])
}

const isHttp = (text: string): boolean => URL.canParse(text) && isWebUrl(new URL(text))
