import { wholeNumber } from '../../kernel/options/fields/basic-schemas.js'
import { checkCall, createCheck } from '../../kernel/options/check.js'

const checkWatches = createCheck((z) => z.strictObject({ run: z.boolean().optional() }))

const checkResults = createCheck((z) =>
  z.strictObject({
    after: wholeNumber(z, 'results', 0).optional(),
    limit: wholeNumber(z, 'results', 1).max(1000).optional(),
  }),
)

const checkChanges = createCheck((z) => z.looseObject({}), ['changes'])

/** Reads the options of listing watches. @returns true if they are run as well @throws InvalidRequestError with every problem found */
export const planWatches = (options: unknown = {}): boolean => checkWatches(options).run === true

/** Reads the options of waiting for a check. @throws InvalidRequestError with every problem found */
export const planCheck = (options: unknown): AbortSignal | undefined => checkCall(options).signal

/**
 * Reads the changes of a watch. What is in them is checked with the whole request.
 *
 * @throws InvalidRequestError if they are not an object
 */
export const planChanges = (changes: unknown): object => checkChanges(changes)

/** Range of the results of a watch. */
interface ResultRange {
  /** Position after which results are read. */
  readonly after: number
  /** Maximum number of results. */
  readonly limit: number
}

/** Reads the options of reading results. @throws InvalidRequestError with every problem found */
export function planResults(options: unknown = {}): ResultRange {
  const { after = 0, limit = 100 } = checkResults(options)
  return { after, limit }
}
