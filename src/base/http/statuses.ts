/** Too Many Requests: the server limits the rate of this client. @see https://www.rfc-editor.org/rfc/rfc6585#section-4 */
export const TOO_MANY_REQUESTS = 429

/**
 * Statuses that ask a client to slow down, often with `Retry-After`. After one, requests to the site pause and the page
 * is retried.
 */
export const slowDownStatuses: ReadonlySet<number> = new Set([TOO_MANY_REQUESTS, 503])

/** Statuses of a failing server or gateway. @see https://www.rfc-editor.org/rfc/rfc5861#section-4 */
export const serverFailureStatuses: ReadonlySet<number> = new Set([500, 502, 503, 504])

/**
 * Statuses after which a page is retried, because they are often temporary. 500 is among them: an overloaded
 * application answers with it as often as with 503, and if it is a defect of one page, the maximum number of retries
 * bounds the cost. 521 to 524 are responses of a CDN whose origin is down or slow.
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

/** Statuses with which sites refuse clients that they take for bots, among their other meanings. */
export const refusalStatuses: ReadonlySet<number> = new Set([401, 403, TOO_MANY_REQUESTS])

/** Returns true for 200 to 299. */
export const isSuccessStatus = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300
