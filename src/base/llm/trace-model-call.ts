import { channels, runInSpan } from '../tracing/channels.js'
import type { ModelSpan } from '../tracing/spans.js'
import { type ModelAnswer, toModelError } from './llm.js'

/** Runs one request to a model as a span, with the status of an error. @throws what the request throws */
export function traceModelCall<Answer>(span: ModelSpan, call: () => Promise<Answer>): Promise<Answer> {
  const run = async (): Promise<Answer> => {
    try {
      return await call()
    } catch (error) {
      const { statusCode } = toModelError(error)
      if (statusCode !== undefined) span.statusCode = statusCode
      throw error
    }
  }
  return runInSpan(channels.model, span, run, (answer) => {
    const { finish }: Partial<ModelAnswer> = Object(answer)
    return finish === undefined ? {} : { finish }
  })
}
