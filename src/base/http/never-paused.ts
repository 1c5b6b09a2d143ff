/**
 * Value of a request's `highWaterMark` with which undici's parser is never paused: the body is received as fast as it
 * comes, and its reader has to bound it.
 *
 * When a server closes the connection while the parser is paused, undici 7.30 ends the process with an assertion, or
 * loses a response that was received completely.
 *
 * @see https://github.com/nodejs/undici/issues/5360
 */
export const NEVER_PAUSED = Number.MAX_SAFE_INTEGER
