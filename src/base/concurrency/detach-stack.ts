/**
 * Runs `run` on an async stack of its own. Playwright captures the full async stack on each call: ten frames of a job, for some
 * two dozen calls a page.
 */
export const detachStack = <T>(run: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    // Not `then(resolve, reject)`: V8 follows the stack through the resolving functions themselves.
    run().then(
      (value) => resolve(value),
      (error: unknown) => reject(error),
    )
  })
