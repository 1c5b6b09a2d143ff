import { type LanguageModel, openAiCompatible } from '../../index.js'
import { engineDefaults } from '../../options/defaults.js'
import type { Flag } from './flag.js'
import { writeDefault } from './write-default.js'
import { UsageError } from '../usage-error.js'

/** Where the key of the model's endpoint is looked for: a flag would stand in the list of processes. */
export const MODEL_KEY = 'TRAWL_MODEL_KEY'

const modelFlag = (name: string, path: string, meaning: string): Flag => ({
  name,
  target: 'command',
  path: [path],
  shape: { kinds: ['string'], choices: [] },
  meaning,
  section: 'The language model',
})

/** The flags that say which model is asked: the same for every command. */
export const modelFlags = (): Flag[] => [
  modelFlag(
    'model-url',
    'modelUrl',
    `Address of an endpoint that speaks OpenAI's chat completions, as in https://api.openai.com/v1; its key stands in ${MODEL_KEY}. Default: none`,
  ),
  modelFlag('model', 'model', "The model's name there. Default: none"),
  {
    name: 'model-context',
    target: 'engine',
    path: ['modelOptions', 'contextTokens'],
    shape: { kinds: ['number'], choices: [] },
    meaning: writeDefault(
      'Tokens that the model can take in and give together',
      engineDefaults.modelOptions.contextTokens,
    ),
    section: 'The language model',
  },
]

/** The model that the flags name; undefined when they name none. @throws UsageError when they name half of one */
export function openModel(
  { modelUrl, model }: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): LanguageModel | undefined {
  if (typeof modelUrl !== 'string' && typeof model !== 'string') return undefined
  if (typeof modelUrl !== 'string') throw new UsageError(['--model needs --model-url: where is it asked?'])
  if (typeof model !== 'string') throw new UsageError(['--model-url needs --model: which one is asked?'])
  const apiKey = environment[MODEL_KEY]
  try {
    return openAiCompatible({ baseUrl: modelUrl, model, ...(apiKey && { apiKey }) })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError([`--model-url: ${error.message.replace('`baseUrl`', 'it')}`])
  }
}
