import { openEngine } from '../kernel/engine/create-engine.js'
import type { Engine } from '../kernel/engine/engine-surface.js'
import { FeatureSet } from '../kernel/engine/feature-set.js'
import type { EngineConfig } from '../kernel/options/engine-config.js'
import { features } from './index.js'

/** The features of trawl itself, which every engine has. @internal */
export const builtIn = new FeatureSet(features)

/**
 * Creates an engine. Nothing is opened or started before it is used, but for the ledger with `resume`.
 *
 * @throws InvalidRequestError when the configuration is wrong
 */
export const createEngine = (config: EngineConfig = {}): Engine => openEngine(config, builtIn)
