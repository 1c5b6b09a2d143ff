import { defineFeature } from '../../kernel/engine/feature.js'
import type { EnrichFormat } from '../../kernel/enrich/format.js'
import { original } from './original.js'

export type { OriginalFormat } from './original.js'

/** The file as received. Must be the only format. */
export interface RawBase64Format {
  type: 'rawBase64'
}

/** Fields that `rawBase64` fills. */
interface RawBase64Fields {
  /** The bytes, after content decoding (gzip, br, …), in base64. */
  rawBase64: string
}

/** @see docs/compatibility/requests.md#formats */
const rawBase64: EnrichFormat<RawBase64Format, RawBase64Fields> = {
  type: 'rawBase64',
  traits: ['fresh', 'alone', 'raw'],
  async produce({ body }) {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    return { fields: { rawBase64: bytes.toString('base64') } }
  },
}

declare module '../../kernel/enrich/format.js' {
  interface FeatureFormats {
    original: typeof original
    rawBase64: typeof rawBase64
  }
}

/** The file of a page as received. @internal */
export const base64 = defineFeature({ name: 'base64', formats: [rawBase64, original] })
