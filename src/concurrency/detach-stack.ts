/**
 * Runs something apart from who waits for it. Playwright takes the stack of every call, all who wait included: of a job
 * they are sixteen, and a page has two dozen calls.
 */
export const detachStack = <T>(run: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    // V8 sees through `then(resolve, reject)`.
    run().then(
      (value) => resolve(value),
      (error: unknown) => reject(error),
    )
  })
