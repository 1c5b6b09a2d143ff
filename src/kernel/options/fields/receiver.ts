import type { SchemaBuilder } from '../../../content/convert/format.js'
import { isWebUrl, type UrlLike, parseUrl } from '../../../base/url.js'
import { mustBe } from '../../../base/issues/describe-issue.js'
import { headersSchema } from './headers.js'

/** Receiver of reports. A URL is short for `{ url }`. */
export interface Receiver {
  /**
   * http or https URL, of a public address unless the engine has `allowPrivateNetworks`. Reports are sent without a proxy,
   * and redirects are not followed.
   */
  url: UrlLike
  /**
   * Headers of each report. `X-Firecrawl-Signature` cannot be given: the engine sets it.
   * @default {}
   */
  headers?: Readonly<Record<string, string>>
  /** Values that each report contains, for the receiver. @default {} */
  metadata?: Readonly<Record<string, string>>
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

/** Setting of the engine for the key that signs reports: one for all features that report. @internal */
export const signingKeyDefinition = {
  schema: (z: SchemaBuilder) =>
    z
      .string({ error: 'not a string (not shown)' })
      .refine((secret) => secret !== '', 'empty: leave it out where reports are not to be signed')
      .optional(),
  help: 'Secret that signs reports. Default: none',
} as const
