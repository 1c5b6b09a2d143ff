import { checkCall, checkWatchChanges, checkWatchResults } from '../../kernel/options/check.js'

/** Reads the options of waiting for a check. @throws InvalidRequestError with every problem found */
export const planCheck = (options: unknown): AbortSignal | undefined => checkCall(options).signal

/** Reads the changes of a watch. @throws InvalidRequestError if they are not an object */
export const planChanges = (changes: unknown): object => checkWatchChanges(changes)

/** Range of the results of a watch. */
export interface ResultRange {
  /** Position after which results are read. */
  readonly after: number
  /** Maximum number of results. */
  readonly limit: number
}

/** Reads the options of reading results. @throws InvalidRequestError with every problem found */
export function planResults(options: unknown): ResultRange {
  const { after = 0, limit = 100 } = checkWatchResults(options)
  return { after, limit }
}
