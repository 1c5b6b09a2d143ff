import { InvalidRequestError } from '../../src/errors.js'

/** The issues of the {@link InvalidRequestError} that `act` throws, each as its path and its message. */
export function issuesOf(act: () => unknown): Record<string, string> {
  try {
    act()
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error
    return Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message]))
  }
  return {}
}
