import { type LanguageModel, openAiCompatible } from '../../index.js'
import { engineDefaults } from '../../kernel/options/engine-config.js'
import { UsageError } from '../usage-error.js'
import type { Flag } from './flag.js'
import { appendDefault } from './to-flag.js'

/** Environment variable with the API key of the model: a flag would be visible in the process list. */
const MODEL_KEY = 'TRAWL_MODEL_KEY'

const modelFlag = (name: string, path: string, description: string): Flag => ({
  name,
  target: 'command',
  path: [path],
  valueType: { kinds: ['string'], choices: [] },
  description,
  section: 'The language model',
})

/** Lists the flags of the language model, the same for every command. */
export const modelFlags = (): Flag[] => [
  modelFlag(
    'model-url',
    'modelUrl',
    `Base URL of an OpenAI-compatible endpoint, such as https://api.openai.com/v1; its API key is read from ${MODEL_KEY}. Default: none`,
  ),
  modelFlag('model', 'model', 'Name of the model. Default: none'),
  {
    name: 'model-context',
    target: 'engine',
    path: ['modelOptions', 'contextTokens'],
    valueType: { kinds: ['number'], choices: [] },
    description: appendDefault(
      'Context window: tokens of request and answer together',
      engineDefaults.modelOptions.contextTokens,
    ),
    section: 'The language model',
  },
]

/**
 * Creates the model that the flags name; undefined without these flags.
 *
 * @throws UsageError if one of the two is missing, or the URL is invalid
 */
export function createModel(
  { modelUrl, model }: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): LanguageModel | undefined {
  if (typeof modelUrl !== 'string' && typeof model !== 'string') return undefined
  if (typeof modelUrl !== 'string') throw new UsageError(['--model needs --model-url, the URL of its endpoint'])
  if (typeof model !== 'string') throw new UsageError(['--model-url needs --model, the name of the model'])
  const apiKey = environment[MODEL_KEY]
  try {
    return openAiCompatible({ baseUrl: modelUrl, model, apiKey: apiKey || undefined })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError([`--model-url: ${error.message.replace(/^`openAiCompatible\(\{ baseUrl \}\)`:? /, '')}`])
  }
}
