import type { JobBudget } from '../../base/accounting/budget.js'
import type { SchemaBuilder } from '../../content/convert/format.js'
import { engineDefaults } from './engine-config.js'
import type { FeatureJobOptions, FeatureJobShape } from './feature-options.js'
import { optionalBoolean } from './fields/basic-schemas.js'
import { budgetSchema } from './fields/budget.js'
import {
  collectDefaults,
  createShape,
  type DefaultsOf,
  type FeatureOptions,
  NO_FEATURE_OPTIONS,
  type OptionDefinitions,
  type ShapeOf,
} from './option-definition.js'

/** Options of every request that starts a job. */
export interface JobOptions extends FeatureJobOptions {
  /** Maximum number of pages at once, from 1; the engine's limit applies as well. @default the engine's limit */
  maxConcurrency?: number
  /**
   * Keep documents after they were delivered. With false, each document is delivered once, to the first reader of the job
   * or, without a reader, to the listeners of `document`. It stays in memory until then and is dropped afterwards;
   * `status().data` stays empty. The outcome of each URL is recorded as usual. With `acknowledge`, a document is kept
   * until it is acknowledged. Not in the interface.
   * @default true
   */
  retain?: boolean
  /**
   * Store nothing of the job's pages. Each document is delivered once, to the first reader of the job or, without a
   * reader, to the listeners of `document`; until then it stays in memory. `status().data` stays empty. The cache may be
   * read; nothing is written to it, to snapshots or to records. Errors name their kind and quote nothing. URLs and their
   * outcomes are known until the job is forgotten. Refused with it: comparisons with earlier versions of pages, as by
   * `changeTracking`, `storeInCache: true`, a `profile` without `saveChanges: false`, and, if the engine has `media`, screenshots,
   * PDF, audio and video files.
   * @default false
   */
  zeroDataRetention?: boolean
  /**
   * Maximum resources of the job: bytes, requests, time in the browser and in all, tokens and cost of a model. When one of
   * them is used up, the job stops and can be resumed: see `stoppedBy` of its status and `job.resume()`. Not in the
   * interface.
   * @default the engine's `budget`
   */
  budget?: JobBudget
  /** Origin of the request; has no effect. */
  origin?: string
  /** Integration that made the request; has no effect. */
  integration?: string | null
}

/** Definitions of {@link JobOptions}. @internal */
export const jobDefinitions = {
  maxConcurrency: {
    schema: (z) => z.number().multipleOf(1).min(1).optional(),
    help: `Concurrent pages, from 1. Default: ${engineDefaults.maxConcurrency}`,
  },
  retain: {
    schema: optionalBoolean,
    default: true,
    help: 'Keep documents in memory after they were written out',
    slice: 'job',
  },
  zeroDataRetention: {
    schema: optionalBoolean,
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
} as const satisfies OptionDefinitions<Omit<JobOptions, keyof FeatureJobOptions>>

/** Defaults of the options that every job has. @internal */
export const jobDefaults: DefaultsOf<typeof jobDefinitions> = collectDefaults(jobDefinitions)

/** Creates the schema of each field of {@link JobOptions}. @internal */
export const jobShape = (z: SchemaBuilder, more: FeatureOptions = NO_FEATURE_OPTIONS) =>
  createShape({ ...jobDefinitions, ...more.job }, z, undefined, more) as ShapeOf<typeof jobDefinitions> &
    FeatureJobShape
