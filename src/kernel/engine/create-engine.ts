import { NO_CODE } from '../../content/digest/digest-part.js'
import { toTrawlError, TrawlError } from '../../base/errors.js'
import { JobRegistry } from '../job/job-registry.js'
import { memoryLedger } from '../ledger/ledgers/index.js'
import { explainRefusedHost } from '../../base/network/egress.js'
import { checkClose, checkEngineConfig } from '../options/check.js'
import type { EngineConfig } from '../options/engine-config.js'
import { type EngineCapabilities, refuseForEngine, type StaticCapabilities } from '../options/engine-capabilities.js'
import { nameDurableLedgers } from '../options/option-definition.js'
import { type EnginePlan, planEngine } from '../plan/plan-engine.js'
import { assembleJobTools, assemblePageTools, createEngineRobots, createResources } from './assemble-tools.js'
import { createStrategies } from './create-strategies.js'
import type { FeatureHealth } from './engine-health.js'
import type { CloseOptions, Engine, FeatureCalls, UntypedEngine } from './engine-surface.js'
import type { NamedEngineExtension } from './feature.js'
import type { FeatureSet } from './feature-set.js'
import { watchLeftJobs } from './watch-left-jobs.js'
import { type AnyJob, createJobCalls, createPageCalls, type EngineParts } from './entry-points.js'

/** Features of the caller, in a configuration. */
interface OwnFeatures {
  readonly features?: readonly { readonly name: string }[]
}

/**
 * Opens an engine with features of trawl, and those of its configuration. Nothing is opened or started before it is used, but for
 * the ledger with `resume`.
 *
 * @param code what digests and threads run of these features. @default nothing
 * @throws InvalidRequestError when the configuration is wrong
 */
export function openEngine(config: EngineConfig, builtIn: FeatureSet, code = NO_CODE): Engine {
  const checked: EngineConfig & OwnFeatures = checkEngineConfig(config, builtIn.options)
  const { features: own = [], ...given } = checked
  const features = builtIn.adopt(own)
  const settings: EnginePlan = { ...planEngine(given), features }
  const closing = new AbortController()
  const resources = createResources(settings, closing.signal, features, code)
  const staticFacts = describeCapabilities(settings, features)
  const robots = createEngineRobots(settings, resources, features)
  const pageTools = assemblePageTools(settings, resources, { robots, features, code })
  // Filled below: features extend an engine that is whole but for them.
  const extensions: NamedEngineExtension[] = []
  const jobTools = assembleJobTools(settings, resources, { pageTools, robots, extensions }, staticFacts)
  const strategies = createStrategies(settings, features)
  const jobs = new JobRegistry({
    tools: jobTools,
    ledger: settings.ledger,
    durableLedgers: nameDurableLedgers(features.options),
    transientLedger: memoryLedger(),
    closing: closing.signal,
    ownFeatures: own.map(({ name }) => name),
    parseRequest: (kind, request, generated) => strategies[kind](request, undefined, generated),
    findOpener: () => extensions.find(({ openElsewhere }) => openElsewhere)?.openElsewhere,
    findRefusal: (request, generated) => findRefusal(request, generated !== undefined, staticFacts),
  })
  const capabilities: EngineCapabilities = {
    ...staticFacts,
    findFaults: (request) => extensions.flatMap((one) => one.findFaults?.(request) ?? []),
  }
  const parts: EngineParts = {
    settings,
    capabilities,
    pageTools,
    jobTools,
    jobs,
    strategies,
    readFeatures: () => Object.assign({}, ...extensions.map((one) => one.health?.())) as FeatureHealth,
    closing: closing.signal,
  }
  extensions.push(...features.extendEngine(parts))

  let closed: Promise<void> | undefined
  const close = async ({ drain = true }: CloseOptions = {}): Promise<void> => {
    closing.abort(new TrawlError('ENGINE_CLOSED', 'the engine was closed: make another with `createEngine()`'))
    const stopped = Promise.all([jobs.stop(drain), ...extensions.map((one) => one.close?.(drain))])
    resources.stop()
    await stopped
    await Promise.all([resources.close(), ...extensions.map((one) => one.release?.())])
  }
  const engine: UntypedEngine<AnyJob> & FeatureCalls = {
    ...(Object.assign({}, ...extensions.map(({ calls }) => calls)) as FeatureCalls),
    ...createJobCalls(parts),
    ...createPageCalls(parts),
    async close(options) {
      const checkedClose = checkClose(options)
      await (closed ??= close(checkedClose))
    },
    [Symbol.asyncDispose]: () => (closed ??= close()),
  }
  const { resume, ledger, now } = settings
  if (resume !== false) for (const extension of extensions) extension.resume?.()
  if (resume !== false)
    void watchLeftJobs({ ...(resume !== true && resume), ledger, jobs, now, signal: closing.signal })
  return engine as Engine
}

/**
 * Finds the reason why an engine cannot run a stored request. The engine that started the job has had its features check it.
 *
 * @param isGenerated true when the options of its prompt are known, so that no model is asked for them
 */
function findRefusal(request: object, isGenerated: boolean, engine: StaticCapabilities): TrawlError | undefined {
  try {
    refuseForEngine(request, engine, isGenerated)
    return undefined
  } catch (error) {
    return toTrawlError(error)
  }
}

/** Describes the capabilities of an engine that do not depend on its jobs. */
const describeCapabilities = (settings: EnginePlan, { options }: FeatureSet): StaticCapabilities => ({
  options,
  hasMedia: settings.media !== undefined,
  hasModel: settings.model !== undefined,
  hasPrice: settings.modelOptions.price !== undefined,
  findHostFault: (hostname) => explainRefusedHost(hostname, settings),
})
