/** A gate of a site's requests: it lets as many pass as a test allows, so that a crawl is in its midst for as long as it needs. */
export interface RequestGate {
  /** Resolves when the request may be answered. */
  pass(): Promise<void>
  /** Lets so many further requests pass, and holds the others until the next call. */
  allow(requests: number): void
}

/** Creates a gate that is open. */
export function createRequestGate(): RequestGate {
  const limit = { allowed: Infinity }
  let held: (() => void)[] = []
  return {
    async pass() {
      while (limit.allowed <= 0) await new Promise<void>((resolve) => held.push(resolve))
      limit.allowed -= 1
    },
    allow(requests) {
      limit.allowed = requests
      const waiting = held
      held = []
      for (const resume of waiting) resume()
    },
  }
}
