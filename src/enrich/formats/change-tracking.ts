import type { PageDiff } from '../../compare/compare.js'
import type { OptionSchemas, SchemaBuilder } from '../../convert/format.js'
import { type AnswerSchema, answerSchema, type HeldSchema } from '../json-schema/answer-schema.js'
import { compareData } from '../json/compare-data.js'
import type { EnrichFormat } from '../format.js'

/** How the page differs from its last snapshot. Needs `markdown` beside it. */
export interface ChangeTrackingFormat {
  type: 'changeTracking'
  /** What to report beside the status: a diff of the Markdown, or changed data. @default [] */
  modes?: readonly ('json' | 'git-diff')[] | undefined
  /** The shape of the data that is compared in mode `json`. */
  schema?: AnswerSchema | undefined
  /** What to compare in mode `json`, in words. */
  prompt?: string | undefined
  /** Names a series of snapshots, kept apart from others of the same URL. @default null */
  tag?: string | null | undefined
}

/** How a page differs from its last snapshot. */
export interface ChangeTracking {
  /** When the last snapshot was taken, ISO 8601; null when there is none. */
  previousScrapeAt: string | null
  /** `removed` when the page is gone (404, 410) and a snapshot says that it was there, `new` when there was no snapshot. */
  changeStatus: 'new' | 'same' | 'changed' | 'removed'
  /** `hidden` for a page that an earlier crawl reached and this one did not. */
  visibility: 'visible' | 'hidden'
  /** Mode `git-diff`, when changed. */
  diff?: PageDiff
  /** Mode `json`, when changed: `previous` and `current` of each value that differs. */
  json?: unknown
}

/** What `changeTracking` fills. */
export interface ChangeTrackingFields {
  /** How the page differs from its last snapshot; absent, with a `warning`, when snapshots could not be read, and of a page that is gone and has none. */
  changeTracking?: ChangeTracking
}

/** The schemas of what an item carries beside its `type`; version 1 takes them as an object of its own. @internal */
export const changeTrackingOptions = (z: SchemaBuilder) =>
  ({
    modes: z.array(z.enum(['json', 'git-diff'])).optional(),
    schema: answerSchema(z).optional(),
    prompt: z.string().optional(),
    tag: z.string().nullable().optional(),
  }) satisfies OptionSchemas<ChangeTrackingFormat>

/** @see docs/compatibility.md#change-tracking */
export const changeTracking: EnrichFormat<ChangeTrackingFormat, ChangeTrackingFields> = {
  type: 'changeTracking',
  options: changeTrackingOptions,
  charges: ({ modes = [] }) => (modes.includes('json') ? 'data' : undefined),
  needs: { model: ({ modes = [] }) => modes.includes('json') },
  async make({ statusCode, url }, { modes = [], ...options }, { changes, model }) {
    if (!changes || changes.warning !== undefined) return { fields: {}, warnings: [changes?.warning] }
    const { previousAtMs, isChanged = false, diff } = changes
    const previousScrapeAt = previousAtMs === undefined ? null : new Date(previousAtMs).toISOString()
    const seen = { previousScrapeAt, visibility: 'visible' } as const
    if (isGone(statusCode)) {
      // A link that was always dead is no page that was removed.
      if (previousAtMs === undefined)
        return { fields: {}, warnings: [`The page answered ${statusCode}, ${NEVER_SEEN}`] }
      return { fields: { changeTracking: { ...seen, changeStatus: 'removed' } } }
    }
    if (statusCode < 200 || statusCode > 299) {
      return { fields: {}, warnings: [`The page answered ${statusCode}, which says nothing about whether it changed.`] }
    }
    const changeStatus = previousAtMs === undefined ? 'new' : isChanged ? 'changed' : 'same'
    const told: ChangeTracking = { ...seen, changeStatus, ...(diff && { diff }) }
    if (!modes.includes('json') || !changes.texts || !model) return { fields: { changeTracking: told } }
    const question = { ...(options as PlannedOptions), url }
    const { value, warnings } = await compareData(question, changes.texts, model)
    return {
      fields: { changeTracking: value === undefined ? told : { ...told, json: value } },
      warnings,
      isPaid: true,
    }
  },
}

const NEVER_SEEN = 'and no snapshot says that it was ever there: it is not told as removed.'

/** Options as a plan has them. */
interface PlannedOptions {
  readonly schema?: HeldSchema
  readonly prompt?: string
}

const isGone = (statusCode: number): boolean => statusCode === 404 || statusCode === 410
