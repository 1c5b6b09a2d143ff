import type { OptionSchemas, SchemaBuilder } from '../../content/convert/format.js'
import type { OptionDefinitions } from './option-definition.js'

/** The policy for hosts that clients of the interface send. Fields that are not listed have no effect. */
interface ThreatProtection {
  /**
   * `manual-only` applies the lists, as without a mode; with `off` they have no effect. The checks of the service (`normal`, `zscaler`) are
   * not available: the lists are applied, with a `warning`. @default 'manual-only'
   */
  mode?: string
  /** Hosts that are denied, of which `*` may stand for any part. */
  blacklist?: readonly string[]
  /** Hosts that are never denied by the lists of this request. */
  whitelist?: readonly string[]
  /** Risk at which the service's check denies a host; has no effect. */
  riskScoreThreshold?: number
  /** Answer of the service while its check is down; has no effect. */
  failurePolicy?: string
  /** Ends of hosts that are denied. */
  blockedTlds?: readonly string[]
}

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
  /**
   * Check of hosts by lists. The service's check of their reputation is not available: asking for it by `mode` has no effect, with a
   * `warning`.
   */
  threatProtection?: ThreatProtection
  /** List of the service's tools for the site, in `tools` of its answer. Has no effect, with a `warning`. */
  domainTools?: boolean
  /** Detail of these tools; has no effect. */
  toolDetail?: string
  /** Further check of the page by the service. Has no effect, with a `warning`: see `checkPromptInjection`. */
  safeMode?: unknown
  /** Data about the site's entities of the service. Has no effect, with a `warning`: see `json`. */
  knowledgeGraph?: unknown
  /** @deprecated Trial of the service; has no effect. */
  __experimental_cache?: unknown
  /** @deprecated Trial of the service; has no effect. */
  __experimental_engpicker?: unknown
  /** @deprecated Trial of the service; has no effect. */
  __experimental_omce?: unknown
  /** @deprecated Trial of the service; has no effect. */
  __experimental_omceDomain?: unknown
  /** @deprecated Trial of the service; has no effect. */
  __forceFirePDF?: unknown
  /** @deprecated Key of the service's own pages; has no effect. */
  __searchPreviewToken?: unknown
}

const text = (z: SchemaBuilder) => z.string().optional()
const list = (z: SchemaBuilder) => z.array(z.string().max(255)).max(10_000).optional()
const threatProtection = (z: SchemaBuilder) =>
  z
    .object({
      mode: text(z),
      blacklist: list(z),
      whitelist: list(z),
      blockedTlds: list(z),
      riskScoreThreshold: z.number().optional(),
      failurePolicy: text(z),
    } satisfies OptionSchemas<ThreatProtection>)
    .optional()
const anything = (z: SchemaBuilder) => z.unknown().optional()

/** Definitions of {@link ClientOptions}. @internal */
export const clientDefinitions = {
  origin: { schema: text, help: false },
  integration: { schema: (z) => z.string().nullable().optional(), help: false },
  auditMetadata: { schema: anything, help: false },
  useMock: { schema: (z) => z.string().nullable().optional(), help: false },
  threatProtection: { schema: threatProtection, help: false },
  domainTools: { schema: (z) => z.boolean().optional(), help: false },
  toolDetail: { schema: text, help: false },
  safeMode: { schema: anything, help: false },
  knowledgeGraph: { schema: anything, help: false },
  __experimental_cache: { schema: anything, help: false },
  __experimental_engpicker: { schema: anything, help: false },
  __experimental_omce: { schema: anything, help: false },
  __experimental_omceDomain: { schema: anything, help: false },
  __forceFirePDF: { schema: anything, help: false },
  __searchPreviewToken: { schema: anything, help: false },
} as const satisfies OptionDefinitions<ClientOptions>

/** Modes of {@link ThreatProtection} that ask for no more than the lists. */
const LIST_MODES: readonly string[] = ['off', 'manual-only']

/** Fields without effect that would have given another result at the service. */
const MISSED = ['useMock', 'domainTools', 'safeMode', 'knowledgeGraph'] as const satisfies (keyof ClientOptions)[]

/** Names the fields of a request by which the service would have given another result; undefined if there are none. @internal */
export function describeWithoutEffect(options: ClientOptions): string | undefined {
  const { mode = 'off' } = options.threatProtection ?? {}
  const given: string[] = MISSED.filter((name) => Boolean(options[name]))
  if (!LIST_MODES.includes(mode)) given.push('threatProtection.mode')
  if (given.length === 0) return undefined
  const names = given.map((name) => `\`${name}\``).join(', ')
  return `${names} ${given.length === 1 ? 'has' : 'have'} no effect: only the hosted service has what ${given.length === 1 ? 'it asks' : 'they ask'} for.`
}
