/** Visits of which there is only one under way for a key, however many wait for it. */
export interface SharedVisits<T> {
  /**
   * Waits for the visit under way, or starts one.
   *
   * @param signal ends this wait with its reason; the visit itself is aborted when nobody waits any more
   */
  join(key: string, signal?: AbortSignal): Promise<T>
}

interface Visit<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  waiting: number
}

export function shareVisits<T>(visit: (key: string, signal: AbortSignal) => Promise<T>): SharedVisits<T> {
  const underWay = new Map<string, Visit<T>>()

  function start(key: string): Visit<T> {
    const controller = new AbortController()
    const result = visit(key, controller.signal).finally(() => {
      if (underWay.get(key)?.controller === controller) underWay.delete(key)
    })
    // Those who wait get the error; when all have left nobody does.
    result.catch(() => undefined)
    const started = { result, controller, waiting: 0 }
    underWay.set(key, started)
    return started
  }

  return {
    async join(key, signal) {
      signal?.throwIfAborted()
      const joined = underWay.get(key) ?? start(key)
      joined.waiting++
      try {
        return await waitFor(joined.result, signal)
      } finally {
        joined.waiting--
        if (joined.waiting === 0 && underWay.get(key) === joined) {
          underWay.delete(key)
          joined.controller.abort()
        }
      }
    },
  }
}

function waitFor<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise<T>((resolve, reject) => {
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
