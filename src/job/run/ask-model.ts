import { type ModelAnswer, ModelError } from '../../llm/llm.js'
import { type Asker, type ModelClient, type ModelQuestion, openTally } from '../../llm/model-client.js'

/**
 * Asks an engine's model about something that is no page.
 *
 * @throws ModelError when there is no answer, or no model; the signal's reason
 */
export async function askModel(
  desk: ModelClient | undefined,
  question: ModelQuestion,
  asker: Omit<Asker, 'tally'>,
): Promise<ModelAnswer> {
  if (!desk) throw new ModelError('there is no language model')
  return await desk.ask(question, { ...asker, tally: openTally() })
}
