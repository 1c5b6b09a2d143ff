/**
 * An iterator whose calls of `next` come one after another, even from a caller that does not wait.
 *
 * @param take gives what is next
 * @param close ends it
 */
export function oneByOne<T>(
  take: () => Promise<IteratorResult<T>>,
  close: () => IteratorResult<T>,
): AsyncIterableIterator<T> {
  let turn: Promise<unknown> = Promise.resolve()
  return {
    next: () => {
      const taken = turn.then(take)
      turn = taken.catch(() => undefined)
      return taken
    },
    return: async () => close(),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
