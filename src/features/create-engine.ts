import { type ErrorCode, type ErrorRow, errorTable as ownErrors } from '../base/errors.js'
import { openEngine } from '../kernel/engine/create-engine.js'
import type { Engine } from '../kernel/engine/engine-surface.js'
import { FeatureSet } from '../kernel/engine/feature-set.js'
import type { EngineConfig } from '../kernel/options/engine-config.js'
import { features } from './index.js'
import { createStoredReader } from './report/read-stored-job.js'

/** The features of trawl itself, which every engine has. @internal */
export const builtIn = new FeatureSet(features)

const loadTasks = async (): Promise<object> => (await import('./tasks.js')).featureTasks

/**
 * Creates an engine. Nothing is opened or started before it is used, but for the ledger with `resume`.
 *
 * @throws InvalidRequestError when the configuration is wrong
 */
export const createEngine = (config: EngineConfig = {}): Engine => openEngine(config, builtIn, loadTasks)

/**
 * Codes of errors, with their meaning: those of trawl itself, and those of its features.
 *
 * @see docs/compatibility.md#errors
 */
export const errorTable: Readonly<Record<ErrorCode, ErrorRow>> = { ...ownErrors, ...builtIn.errors }

/**
 * Reads a job of a ledger without an engine, for {@link writeReport}: one that is unfinished is not resumed, and one that
 * another process runs is not disturbed. A file that is missing, is no ledger or is one of another version stays as it is. Close the
 * ledger afterwards.
 *
 * @param ledger `sqlite(file)`
 * @param id of the job. @default the newest one
 * @throws TypeError for what is no ledger
 * @throws TrawlError `JOB_NOT_FOUND`; `LEDGER_ERROR`; `BAD_REQUEST` for another ledger
 */
export const readStoredJob = createStoredReader(builtIn)
