import { isObject } from '../../base/collections/is-object.js'
import type { SchemaBuilder } from '../../content/convert/format.js'
import type { OptionDefinitions } from './option-definition.js'

/** Fields that clients of the interface send with a page, and that are of its service. */
export interface ClientOptions {
  /** Origin of the request; has no effect. */
  origin?: string
  /** Integration that made the request; has no effect. */
  integration?: string | null
  /** Data for the service's log of calls; has no effect. */
  auditMetadata?: unknown
  /** Name of a recorded page of the service. Has no effect, with a `warning`. */
  useMock?: string | null
  /** Check of URLs by the service. Has no effect, with a `warning`. */
  threatProtection?: unknown
  /** List of the service's tools for the site, in `tools` of its answer. Has no effect, with a `warning`. */
  domainTools?: boolean
  /** Detail of these tools; has no effect. */
  toolDetail?: string
}

const text = (z: SchemaBuilder) => z.string().optional()
const anything = (z: SchemaBuilder) => z.unknown().optional()

/** Definitions of {@link ClientOptions}. @internal */
export const clientDefinitions = {
  origin: { schema: text, help: false },
  integration: { schema: (z) => z.string().nullable().optional(), help: false },
  auditMetadata: { schema: anything, help: false },
  useMock: { schema: (z) => z.string().nullable().optional(), help: false },
  threatProtection: { schema: anything, help: false },
  domainTools: { schema: (z) => z.boolean().optional(), help: false },
  toolDetail: { schema: text, help: false },
} as const satisfies OptionDefinitions<ClientOptions>

/** Fields without effect that would have given another result at the service. */
const MISSED = ['useMock', 'threatProtection', 'domainTools'] as const satisfies (keyof ClientOptions)[]

/** Names the fields of a request by which the service would have given another result; undefined if there are none. @internal */
export function describeWithoutEffect(options: ClientOptions): string | undefined {
  const given = MISSED.filter((name) => isObject(options[name]) || Boolean(options[name]))
  if (given.length === 0) return undefined
  const names = given.map((name) => `\`${name}\``).join(', ')
  return `${names} ${given.length === 1 ? 'has' : 'have'} no effect: only the hosted service has what ${given.length === 1 ? 'it asks' : 'they ask'} for.`
}
