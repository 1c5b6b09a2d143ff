import type { JobBudget } from '../accounting/budget.js'
import type { UrlLike } from '../url.js'
import { engineDefaults } from './engine-config.js'
import { budgetSchema } from './fields/budget.js'
import { type Webhook, webhookSchema } from './fields/webhook.js'
import { type DefaultsOf, collectDefaults, type OptionDefinitions } from './option-definition.js'

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

/** Definitions of {@link JobOptions}. @internal */
export const jobDefinitions = {
  webhook: {
    schema: (z) => webhookSchema(z).optional(),
    help: 'URL that receives reports of the job, or an object with url, headers, metadata, events',
  },
  maxConcurrency: {
    schema: (z) => z.number().multipleOf(1).min(1).optional(),
    help: `Concurrent pages, from 1. Default: ${engineDefaults.maxConcurrency}`,
  },
  learnBoilerplate: {
    schema: (z) => z.boolean().optional(),
    default: true,
    help: 'Drop content that repeats over pages of one template',
  },
  retain: {
    schema: (z) => z.boolean().optional(),
    default: true,
    help: 'Keep documents in memory after they were written out',
    slice: 'job',
  },
  zeroDataRetention: {
    schema: (z) => z.boolean().optional(),
    default: false,
    help: 'Store nothing of the pages: no cache, no snapshots, each document delivered once',
  },
  budget: {
    schema: (z) => budgetSchema(z).optional(),
    help: 'Maximum resources of the job, after which it ends: {"requests":1000,"bytes":1e9,"seconds":600}. Default: no limit',
  },
  origin: { schema: (z) => z.string().optional(), help: 'Origin of the request; has no effect' },
  integration: {
    schema: (z) => z.string().nullable().optional(),
    help: 'Name of the integration that sends the request; has no effect',
  },
} as const satisfies OptionDefinitions<JobOptions>

/** Defaults of options that every job has. @internal */
export const jobDefaults: DefaultsOf<typeof jobDefinitions> = collectDefaults(jobDefinitions)
