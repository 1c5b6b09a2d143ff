/** Too Many Requests: the server limits the rate of this client. @see https://www.rfc-editor.org/rfc/rfc6585#section-4 */
export const TOO_MANY_REQUESTS = 429

/** Statuses that ask a client to slow down, often with `Retry-After`. Sites are held and pages retried by them. */
export const slowDownStatuses: ReadonlySet<number> = new Set([TOO_MANY_REQUESTS, 503])

/** Statuses of a gateway or server in trouble. @see https://www.rfc-editor.org/rfc/rfc5861#section-4 */
export const serverFailureStatuses: ReadonlySet<number> = new Set([500, 502, 503, 504])

/**
 * Statuses that another attempt may not meet. 500 is among them: an overloaded application answers with it as often as with 503,
 * and where it is a defect of that one page the cost is bounded by the maximum of retries. 521 to 524 are what a CDN answers for
 * an origin that is down or slow.
 */
export const transientStatuses: ReadonlySet<number> = new Set([
  408,
  425,
  TOO_MANY_REQUESTS,
  ...serverFailureStatuses,
  521,
  522,
  523,
  524,
])

/** Statuses by which sites refuse clients that they take for programs, among their other meanings. */
export const refusalStatuses: ReadonlySet<number> = new Set([401, 403, TOO_MANY_REQUESTS])

/** Returns true for 200 to 299. */
export const isSuccessStatus = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300
