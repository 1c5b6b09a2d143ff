import { ModelError } from '../../llm/llm.js'

/** Parts of a page that a model is asked about; what is behind them is told of. */
const MAX_PARTS = 24

/**
 * Asks about each part of a page. Parts of which the model has no answer are told of, as long as it has one of any.
 *
 * @param field what is asked for, for the warnings
 * @throws ModelError when there is no answer about any part; whatever else `ask` throws
 */
export async function askEach<Part, Answer>(
  field: string,
  parts: readonly Part[],
  ask: (part: Part, place: { readonly number: number; readonly of: number } | undefined) => Promise<Answer>,
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
    warnings.push(`The page is too long for \`${field}\`: ${read.length} of its ${parts.length} parts were read.`)
  }
  if (fault instanceof ModelError) {
    warnings.push(`\`${field}\` is without ${faults.length} of the page's ${read.length} parts: ${fault.message}.`)
  }
  return { answers, warnings }
}
