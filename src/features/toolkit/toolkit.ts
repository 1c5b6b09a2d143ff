import type { Engine } from '../../kernel/engine/engine-surface.js'
import { printSeen, TrawlError, toTrawlError } from '../../base/errors.js'
import { builtIn } from '../create-engine.js'
import { createInputSchema } from '../../kernel/options/check.js'
import { checkToolkitOptions, type ToolkitOptions } from './toolkit-options.js'
import { cutToTokens, type Reading, type ToolText, writeAnswer } from './answer.js'
import { checkArgument, objectWithMethods } from '../../base/runtime/check-options.js'
import { escapeInvisible } from '../../base/llm/answers/page-text.js'
import { TextStore } from './text-store.js'
import { ToolJobs } from './tool-jobs.js'
import type { Tool, ToolSettings } from './tool.js'
import type { AgentTool, ToolCallOptions, Toolkit, ToolProgress } from './agent-tool.js'
import * as registry from './tools/index.js'

const ENGINE_RULE = objectWithMethods('the result of `createEngine()`', 'scrape', 'crawl')

/**
 * Creates the tools for agents: JSON Schema and functions, for any framework. Each toolkit has its own crawls and handles:
 * create one for each conversation.
 *
 * @throws InvalidRequestError for invalid options; TypeError for what is no engine
 * @see docs/guides/agents.md
 * @example
 * const { tools } = createToolkit(engine)
 * const answer = await tools.find(({ name }) => name === 'scrape')?.run({ url: 'https://example.com' })
 */
export function createToolkit(engine: Engine, options: ToolkitOptions = {}): Toolkit {
  checkArgument('engine', engine, ENGINE_RULE)
  const settings: ToolSettings = checkToolkitOptions(options, builtIn.options)
  const state: ToolkitState = {
    engine,
    settings,
    texts: new TextStore(),
    jobs: new ToolJobs(engine, settings.maxJobs),
  }
  const tools: readonly Tool[] = Object.values(registry)
  return {
    tools: tools.filter(({ needsIndex }) => !needsIndex || settings.search).map((tool) => createTool(tool, state)),
    documents: () => state.texts.documents(),
    readDocument: (id) => answer(readDocument(id, state), state),
    close: () => state.jobs.close(),
    [Symbol.asyncDispose]: () => state.jobs.close(),
  }
}

/** Parts that the calls of a toolkit share. */
interface ToolkitState {
  readonly engine: Engine
  readonly settings: ToolSettings
  readonly texts: TextStore
  readonly jobs: ToolJobs
}

function createTool(tool: Tool, state: ToolkitState): AgentTool {
  const { name, description, isReadOnly } = tool
  const { settings } = state
  const schema = createInputSchema((z) => tool.input(z, settings))
  const run = async (given: unknown, { signal, onProgress }: ToolCallOptions): Promise<string> => {
    const input = schema.check(given)
    const { maxTokens = settings.maxTokens }: { maxTokens?: number } = Object(input)
    const call = {
      ...state,
      maxTokens,
      // A signal that never aborts.
      signal: signal ?? new AbortController().signal,
      report: (progress: ToolProgress) => onProgress?.(progress),
    }
    return answer(await tool.run(input, call), state)
  }
  return {
    name,
    description,
    isReadOnly,
    inputSchema: schema.jsonSchema,
    async run(input, options = {}) {
      options.signal?.throwIfAborted()
      try {
        return await run(input, options)
      } catch (error) {
        options.signal?.throwIfAborted()
        throw fitError(error, settings.maxTokens)
      }
    },
  }
}

/** Writes an answer, and keeps its rest, and the document that it begins. */
function answer(result: ToolText | Reading, { texts }: ToolkitState): string {
  const { text, from } = 'text' in result ? result : { text: result, from: 0 }
  let id = 'text' in result ? result.id : undefined
  if (text.document) id ??= texts.keep(text)
  return writeAnswer(text, from, () => (id ??= texts.keep(text))).text
}

function readDocument(id: string, { texts }: ToolkitState): Reading {
  const reading = texts.read(id)
  if (reading.text.document) return reading
  throw new TrawlError('BAD_REQUEST', `${printSeen(id)} is no document`)
}

/** Creates an error whose code and message fit the budget of an answer. */
function fitError(thrown: unknown, maxTokens: number): TrawlError {
  const error = toTrawlError(thrown)
  // The code and the signs around it take some tokens.
  const message = cutToTokens(escapeInvisible(error.message), maxTokens - 50)
  return message === error.message ? error : new TrawlError(error.code, message, { cause: error })
}
