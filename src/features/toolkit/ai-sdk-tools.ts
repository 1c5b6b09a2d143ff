import type { Engine } from '../../kernel/engine/engine-surface.js'
import type { ToolkitOptions } from './toolkit-options.js'
import type { AgentTool } from './agent-tool.js'
import { createToolkit } from './toolkit.js'

/** Result of a check of a Standard Schema. */
type CheckedInput = { readonly value: unknown; readonly issues?: undefined }

/**
 * Schema of the input of a tool, as the AI SDK takes it: a Standard Schema with its JSON Schema.
 *
 * @see https://standardschema.dev
 */
export interface AiSdkSchema {
  readonly jsonSchema: Readonly<Record<string, unknown>>
  /** The tool checks its input itself, so that its errors are the same everywhere. */
  readonly validate: undefined
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'trawl'
    readonly validate: (value: unknown) => CheckedInput
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>
      readonly output: () => Record<string, unknown>
    }
  }
}

/** Options with which the AI SDK calls a tool. */
export interface AiSdkCallOptions {
  readonly abortSignal?: AbortSignal
}

/** A tool for the AI SDK. */
export interface AiSdkTool {
  readonly description: string
  readonly inputSchema: AiSdkSchema
  /** Runs a call. @throws as {@link AgentTool.run}: the AI SDK hands the message to the model */
  readonly execute: (input: unknown, options: AiSdkCallOptions) => Promise<string>
}

/**
 * Creates the tools for agents as the Vercel AI SDK takes them, version 5 or later, without loading it. Create them anew for each
 * conversation; `engine.close()` cancels the crawls that they have started.
 *
 * @throws InvalidRequestError for invalid options
 * @see docs/guides/agents.md
 * @example
 * const { text } = await generateText({ model, prompt: 'What is new at https://example.com?', tools: tools(engine) })
 */
export const tools = (engine: Engine, options?: ToolkitOptions): Record<string, AiSdkTool> =>
  Object.fromEntries(createToolkit(engine, options).tools.map((tool) => [tool.name, toAiSdkTool(tool)]))

const toAiSdkTool = ({ description, inputSchema, run }: AgentTool): AiSdkTool => ({
  description,
  inputSchema: toSchema(inputSchema),
  execute: (input, { abortSignal }) => run(input, { signal: abortSignal }),
})

function toSchema(jsonSchema: AgentTool['inputSchema']): AiSdkSchema {
  const copy = () => ({ ...jsonSchema })
  const schema: AiSdkSchema = {
    jsonSchema,
    validate: undefined,
    '~standard': {
      version: 1,
      vendor: 'trawl',
      validate: (value) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  }
  // Marks a schema of the AI SDK itself: version 5 takes Standard Schemas of zod only.
  return Object.assign(schema, { [Symbol.for('vercel.ai.schema')]: true })
}
