import type { Dispatcher } from 'undici'
import request from 'undici/lib/api/api-request.js'
import buildConnector from 'undici/lib/core/connect.js'
import errors from 'undici/lib/core/errors.js'
import Agent from 'undici/lib/dispatcher/agent.js'

/**
 * The parts of undici that are used. Its entry sets `Symbol.for('undici.globalDispatcher.1')` of `globalThis` for good, and
 * the host's own `fetch()` would then send its requests through this version of undici instead of that of Node. Three
 * quarters of its code (`fetch`, caches, web sockets, mocks) are not needed.
 */
export { Agent, buildConnector, errors }

/** Sends a request by an agent. An agent has this as a method only where undici's entry is loaded. */
export const sendRequest = (agent: Agent, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> =>
  request.call(agent, options)

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
