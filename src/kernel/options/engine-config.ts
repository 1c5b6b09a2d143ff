import type { SchemaBuilder } from '../../content/convert/format.js'
import { type FetchConfig, fetchDefinitions } from './engine/fetch-config.js'
import { type FileConfig, fileDefinitions } from './engine/file-config.js'
import { type JobConfig, jobSettingDefinitions } from './engine/job-config.js'
import { type ModelConfig, modelDefinitions } from './engine/model-config.js'
import { type StorageConfig, storageDefinitions } from './engine/storage-config.js'
import type { FeatureConfig, FeatureConfigShape } from './feature-options.js'
import {
  collectDefaults,
  createShape,
  type DefaultsOf,
  type FeatureOptions,
  nameDurableLedgers,
  NO_FEATURE_OPTIONS,
  type OptionDefinitions,
  type ShapeOf,
  withFeatures,
} from './option-definition.js'

/** Configuration of an engine. Every field has a default. */
export interface EngineConfig extends FetchConfig, StorageConfig, FileConfig, ModelConfig, JobConfig, FeatureConfig {}

/** Definitions of {@link EngineConfig}. @internal */
export const engineDefinitions = {
  ...fetchDefinitions,
  ...storageDefinitions,
  ...fileDefinitions,
  ...modelDefinitions,
  ...jobSettingDefinitions,
} as const satisfies OptionDefinitions<Omit<EngineConfig, keyof FeatureConfig | 'features'>>

/** Defaults of an engine. `planEngine` computes those that depend on the machine. @internal */
export const engineDefaults: DefaultsOf<typeof engineDefinitions> = collectDefaults(engineDefinitions)

/**
 * Creates the schema of an {@link EngineConfig}.
 *
 * @param more settings of features
 * @param isGiven true for the options that it is to know: creating the schemas of the others would be most of the time of
 * creating an engine. @default all
 * @internal
 */
export const engineConfigSchema = (
  z: SchemaBuilder,
  more: FeatureOptions = NO_FEATURE_OPTIONS,
  isGiven: (name: string) => boolean = () => true,
) =>
  z
    .strictObject(
      createShape(withFeatures(engineDefinitions, more.engine), z, isGiven, more) as ShapeOf<typeof engineDefinitions> &
        FeatureConfigShape,
    )
    .superRefine(({ budget, modelOptions, resume, ledger }, context) => {
      const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
      if (budget?.modelCost !== undefined && !modelOptions?.price)
        refuse(['budget', 'modelCost'], 'the price of tokens is not known: give `modelOptions.price`')
      if (resume !== undefined && resume !== false && ledger?.jobStore === undefined)
        refuse(['resume'], `the jobs end with the process: give ${nameDurableLedgers(more)} as \`ledger\``)
    })
