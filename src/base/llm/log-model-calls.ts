import { failureOf } from '../tracing/channels.js'
import type { EventLog } from '../tracing/event-log.js'
import type { Embedder } from './embedder.js'
import { toModelError } from './llm.js'
import type { ModelClient } from './model-client.js'

/** Logs the failures of a model that remain after all retries. */
export const logModelFailures = (client: ModelClient, log: EventLog | undefined): ModelClient =>
  log
    ? {
        settings: client.settings,
        recall: (name) => client.recall(name),
        remember: (name, text) => client.remember(name, text),
        ask: (question, caller) =>
          client.ask(question, caller).catch((error: unknown) => {
            if (!caller.signal.aborted) logFailure(log, 'chat', error)
            throw error
          }),
      }
    : client

/** Logs the failures of `embed` that remain after all retries. */
export const logEmbedFailures = (embedder: Embedder, log: EventLog | undefined): Embedder =>
  log
    ? {
        embed: (texts, context) =>
          embedder.embed(texts, context).catch((error: unknown) => {
            if (!context.signal.aborted) logFailure(log, 'embeddings', error)
            throw error
          }),
      }
    : embedder

function logFailure(log: EventLog, operation: 'chat' | 'embeddings', error: unknown): void {
  // Its message may quote the page, or the request with its key.
  log.write('warn', 'model failed', () => {
    const { statusCode } = toModelError(error)
    return { operation, ...failureOf(error), statusCode }
  })
}
