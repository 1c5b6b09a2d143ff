import { type ErrorCode, type ErrorRow, errorTable as ownErrors } from '../base/errors.js'
import type { FeatureCode } from '../content/digest/digest-part.js'
import { openEngine } from '../kernel/engine/create-engine.js'
import type { Engine } from '../kernel/engine/engine-surface.js'
import { FeatureSet } from '../kernel/engine/feature-set.js'
import type { EngineConfig } from '../kernel/options/engine-config.js'
import { features } from './index.js'

/** The features of trawl itself, which every engine has. @internal */
export const builtIn = new FeatureSet(features)

const code: FeatureCode = {
  tasks: async () => (await import('./tasks.js')).featureTasks,
  parts: async () => (await import('./digest-parts.js')).digestParts,
  rewriters: async () => (await import('./digest-parts.js')).digestRewriters,
}

/**
 * Creates an engine. Nothing is opened or started before it is used, but for the ledger with `resume`.
 *
 * @throws InvalidRequestError when the configuration is wrong
 */
export const createEngine = (config: EngineConfig = {}): Engine => openEngine(config, builtIn, code)

/**
 * Codes of errors, with their meaning: those of trawl itself, and those of its features.
 *
 * @see docs/compatibility/fetching.md#errors
 */
export const errorTable: Readonly<Record<ErrorCode, ErrorRow>> = { ...ownErrors, ...builtIn.errors }
