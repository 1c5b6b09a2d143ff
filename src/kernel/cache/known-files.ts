import type { AskedCache, CachePlan } from './cache.js'
import { recall } from './recall.js'
import { remember } from './remember.js'

/** Keeps what is known of a URL's type apart from its page, which another caller may want whatever its type. */
function planFor({ minAgeMs: _age, lockdown: _lock, rendered: _rendered, ...plan }: CachePlan): CachePlan {
  return { ...plan, variant: `${plan.variant} file` }
}

/** Tests whether a URL was noted to be no HTML, so that its type need not be asked again. */
export async function isKnownFile(
  url: string,
  plan: CachePlan,
  cache: AskedCache | undefined,
  nowMs: number,
): Promise<boolean> {
  return (await recall(url, planFor(plan), cache, nowMs)).page !== undefined
}

/** Notes that a URL is no HTML. @returns a warning when the cache failed */
export async function rememberFile(
  url: string,
  plan: CachePlan,
  cache: AskedCache | undefined,
  nowMs: number,
): Promise<string | undefined> {
  const note = { url, redirects: [], statusCode: 200, headers: {}, body: new Uint8Array(), fetcher: 'http' }
  return await remember(url, { ...note, fetchedAtMs: nowMs }, planFor(plan), cache)
}
