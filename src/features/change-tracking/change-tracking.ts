import { isSuccessStatus } from '../../base/http/statuses.js'
import type { OptionSchemas, SchemaBuilder } from '../../content/convert/format.js'
import { type AnswerSchema, answerSchema, type HeldSchema } from '../../base/json-schema/answer-schema.js'
import { compareData } from './compare-data.js'
import type { ChangeTracking, ChangeTrackingFields } from '../../kernel/snapshot/change-tracking.js'
import type { EnrichFormat } from '../../kernel/enrich/format.js'

/** Comparison of the page with its last snapshot. Requires `markdown` in the same request. */
export interface ChangeTrackingFormat {
  type: 'changeTracking'
  /** Details to report besides the status: a diff of the Markdown, or changed data. @default [] */
  modes?: readonly ('json' | 'git-diff')[]
  /** Shape of the data to compare in mode `json`. */
  schema?: AnswerSchema
  /** Description of the data to compare in mode `json`. */
  prompt?: string
  /** Name of a separate series of snapshots of the same URL. @default null */
  tag?: string | null
}

/** Its options in version 1. */
export interface ChangeTrackingV1Options {
  /** Options of format `changeTracking`. */
  changeTrackingOptions?: Omit<ChangeTrackingFormat, 'type'>
}

/** Schemas of the options besides `type`; version 1 takes them as a separate object. */
const changeTrackingOptions = (z: SchemaBuilder) =>
  ({
    modes: z.array(z.enum(['json', 'git-diff'])).optional(),
    schema: answerSchema(z).optional(),
    prompt: z.string().optional(),
    tag: z.string().nullable().optional(),
  }) satisfies OptionSchemas<ChangeTrackingFormat>

/** @see docs/compatibility/documents.md#change-tracking */
export const changeTracking: EnrichFormat<ChangeTrackingFormat, ChangeTrackingFields, 'changeTracking'> = {
  type: 'changeTracking',
  showsContent: true,
  versionOne: { changeTracking: {} },
  traits: ['fresh'],
  options: changeTrackingOptions,
  versionOneOptions: {
    changeTracking: { name: 'changeTrackingOptions', schema: (z) => z.strictObject(changeTrackingOptions(z)) },
  },
  charges: ({ modes = [] }) => (modes.includes('json') ? 'data' : undefined),
  needs: {
    model: ({ modes = [] }) => modes.includes('json'),
    snapshot: ({ modes = [], tag = null }) => ({
      tag,
      diff: modes.includes('git-diff'),
      texts: modes.includes('json'),
    }),
  },
  async produce({ statusCode, url }, { modes = [], ...options }, { changes, model }) {
    if (!changes || changes.warning !== undefined) return { fields: {}, warnings: [changes?.warning] }
    const { previousAtMs, isChanged = false, diff } = changes
    const previousScrapeAt = previousAtMs === undefined ? null : new Date(previousAtMs).toISOString()
    const seen = { previousScrapeAt, visibility: 'visible' } as const
    if (isGone(statusCode)) {
      // A page that never existed is not a removed page.
      if (previousAtMs === undefined)
        return { fields: {}, warnings: [`The page was answered with status ${statusCode}, ${NEVER_SEEN}`] }
      return { fields: { changeTracking: { ...seen, changeStatus: 'removed' } } }
    }
    if (!isSuccessStatus(statusCode)) {
      return {
        fields: {},
        warnings: [`The page was answered with status ${statusCode}, which does not show whether it changed.`],
      }
    }
    const changeStatus = previousAtMs === undefined ? 'new' : isChanged ? 'changed' : 'same'
    const tracked: ChangeTracking = { ...seen, changeStatus, ...(diff && { diff }) }
    if (!modes.includes('json') || !changes.texts || !model) return { fields: { changeTracking: tracked } }
    const question = { ...(options as PlannedOptions), url }
    const { value, warnings } = await compareData(question, changes.texts, model)
    return {
      fields: { changeTracking: value === undefined ? tracked : { ...tracked, json: value } },
      warnings,
      isPaid: value !== undefined,
    }
  },
}

const NEVER_SEEN = 'and there is no earlier snapshot of it: it is not reported as removed.'

/** The options in a plan. */
interface PlannedOptions {
  readonly schema?: HeldSchema
  readonly prompt?: string
}

const isGone = (statusCode: number): boolean => statusCode === 404 || statusCode === 410
