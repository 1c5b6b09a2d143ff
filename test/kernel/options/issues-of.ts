import { InvalidRequestError } from '../../../src/base/errors.js'

/** Returns the message of each issue of the {@link InvalidRequestError} that `act` throws, by its path. */
export function issuesOf(act: () => unknown): Record<string, string> {
  try {
    act()
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error
    return Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message]))
  }
  return {}
}
