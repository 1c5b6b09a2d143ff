import { ModelError } from '../llm.js'
import type { PartPosition } from './prompts.js'

/** Maximum parts of a page to ask about; a warning names the rest. */
const MAX_PARTS = 24

/**
 * Asks about each part of a page. Parts without an answer give a warning, as long as one part has an answer.
 *
 * @param field name of the output field, for the warnings
 * @throws ModelError when no part has an answer; any other error of `ask`
 */
export async function askEach<Part, Answer>(
  field: string,
  parts: readonly Part[],
  ask: (part: Part, position: PartPosition | undefined) => Promise<Answer>,
): Promise<{ readonly answers: readonly Answer[]; readonly warnings: readonly string[] }> {
  const read = parts.slice(0, MAX_PARTS)
  const settled = await Promise.allSettled(
    read.map((part, index) => ask(part, read.length > 1 ? { number: index + 1, of: read.length } : undefined)),
  )
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const faults = settled.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  const [fault] = faults
  const foreign = faults.find((error) => !(error instanceof ModelError))
  if (foreign !== undefined) throw foreign
  if (fault !== undefined && answers.length === 0) throw fault
  const warnings: string[] = []
  if (read.length < parts.length) {
    warnings.push(
      `The page is too long for \`${field}\`: only ${read.length} of its ${parts.length} parts were sent to the model.`,
    )
  }
  if (fault instanceof ModelError) {
    warnings.push(`\`${field}\` lacks ${faults.length} of the page's ${read.length} parts: ${fault.message}.`)
  }
  return { answers, warnings }
}
