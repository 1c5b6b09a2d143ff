import type { JobBudget } from '../accounting/budget.js'
import type { OptionSchemas, SchemaBuilder } from '../convert/format.js'
import type { UrlLike } from '../url.js'
import { inUnit } from './issues/describe-issue.js'
import { type Webhook, webhookSchema } from './fields/webhook.js'

/** Options of every request that starts a job. */
export interface JobOptions {
  /** Receiver of the job's reports. */
  webhook?: UrlLike | Webhook | undefined
  /** Pages at once, from 1; the engine's own limit holds as well. @default the engine's limit */
  maxConcurrency?: number | undefined
  /**
   * Drop blocks that repeat over pages of one template from their content: footers, consent texts, lists of related pages.
   * They are known after four or five pages of a folder or a host, which wait for that and are then made anew. Never
   * headings, code or tables. Only with `onlyMainContent` and without `includeTags`. Not in the interface. @default true
   */
  learnBoilerplate?: boolean | undefined
  /**
   * Keep documents after they were handed out. With false each is handed out once, to the first who reads the job or, when
   * nobody does, to the listeners of `document`, waits in memory until then, and is gone: `status().data` stays empty. What
   * became of each URL is known as ever. With `acknowledge` a document is kept until it is acknowledged. Not in the
   * interface.
   * @default true
   */
  retain?: boolean | undefined
  /**
   * Keep nothing of the job's pages. Each document is handed out once, to the first who reads the job or, when nobody
   * does, to the listeners of `document`; until then it waits in memory. `status().data` stays empty. Nothing is written
   * to the cache (which may be read), to snapshots or records; errors say what kind they are, and quote nothing. URLs,
   * with what became of them, are known until the job is forgotten. Refused with it: `changeTracking`, `since`,
   * `storeInCache: true`, a `profile` without `saveChanges: false`, and screenshots, PDF, audio or video files where the engine
   * has `media`.
   * @default false
   */
  zeroDataRetention?: boolean | undefined
  /**
   * The most that the job may take up: bytes, requests, time in the browser and at all, tokens and money of a model. When some of
   * it is used up the job ends, and can be gone on with: see `stoppedBy` of its status and `job.resume()`. Not in the interface.
   * @default the engine's `budget`
   */
  budget?: JobBudget | undefined
  /** Origin of the request; has no effect. */
  origin?: string | undefined
  /** Integration that made the request; has no effect. */
  integration?: string | null | undefined
}

/** The schema of a {@link JobBudget}. @internal */
export function budgetSchema(z: SchemaBuilder) {
  const whole = (unit: string) => z.number(inUnit(unit)).multipleOf(1).min(1).optional()
  const seconds = () => z.number(inUnit('seconds')).gt(0).optional()
  return z.strictObject({
    bytes: whole('bytes'),
    requests: whole('requests'),
    browserSeconds: seconds(),
    modelTokens: whole('tokens'),
    modelCost: z.number().gt(0).optional(),
    seconds: seconds(),
  } satisfies OptionSchemas<JobBudget>)
}

/** The schemas of {@link JobOptions}. @internal */
export const jobShape = (z: SchemaBuilder) =>
  ({
    webhook: webhookSchema(z).optional(),
    maxConcurrency: z.number().multipleOf(1).min(1).optional(),
    learnBoilerplate: z.boolean().optional(),
    retain: z.boolean().optional(),
    zeroDataRetention: z.boolean().optional(),
    budget: budgetSchema(z).optional(),
    origin: z.string().optional(),
    integration: z.string().nullable().optional(),
  }) satisfies OptionSchemas<JobOptions>
