import { type ModelAnswer, ModelError } from '../../llm/llm.js'
import { emptyUsage, type ModelCaller, type ModelClient, type ModelQuestion } from '../../llm/model-client.js'

/**
 * Asks an engine's model about something that is no page.
 *
 * @throws ModelError when there is no answer, or no model; the signal's reason
 */
export async function askModel(
  client: ModelClient | undefined,
  question: ModelQuestion,
  caller: Omit<ModelCaller, 'usage'>,
): Promise<ModelAnswer> {
  if (!client) throw new ModelError('there is no language model')
  return await client.ask(question, { ...caller, usage: emptyUsage() })
}
