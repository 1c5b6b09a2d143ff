import type { ScopePlan } from '../../frontier/scope/scope.js'

/** The scope of a crawl whose start page redirected to another host: it goes on there, below the same path. */
export function rebaseScope(scope: ScopePlan, finalUrl: URL): ScopePlan {
  const start = new URL(scope.start)
  start.protocol = finalUrl.protocol
  start.host = finalUrl.host
  return Object.freeze({ ...scope, start: start.href })
}
