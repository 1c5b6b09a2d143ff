import type { Dispatcher } from 'undici'
import { messageOf } from '../errors.js'
import { Agent, sendRequest } from '../http/http-client.js'
import { NEVER_PAUSED } from '../http/http-client.js'
import { ModelError, type ModelTools } from './llm.js'

/** Sends JSON to the model's address. */
export interface Poster extends ModelTools {
  close(): Promise<void>
}

const MAX_BYTES = 16 * 1024 * 1024
const CONNECT_TIMEOUT_MS = 10_000

/**
 * Creates the connections to the model that the host configured. The engine's rules for addresses do not apply: they
 * protect the host's network from URLs in pages and requests, and this address comes from the host and is often a
 * server on the same machine. Redirects are not followed and no proxy is used, so that only the configured address is
 * reached.
 */
export function createPoster(): Poster {
  let agent: Agent | undefined
  return {
    async post(url, headers, body, signal) {
      let hasAnswered = false
      agent ??= new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, headersTimeout: 0, bodyTimeout: 0 })
      try {
        const { origin, pathname, search } = url
        const sent = { method: 'POST', headers, body, signal, highWaterMark: NEVER_PAUSED } as const
        const answer = await sendRequest(agent, { origin, path: pathname + search, ...sent })
        hasAnswered = true
        const text = await readText(answer)
        return { statusCode: answer.statusCode, headers: readHeaders(answer.headers), text }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (error instanceof ModelError) throw error
        const { code }: { code?: unknown } = Object(error)
        const why = typeof code === 'string' ? code : messageOf(error)
        const what = hasAnswered ? 'ended the connection before its answer was complete' : 'could not be reached'
        throw new ModelError(`the model at ${url.host} ${what}: ${why}`, { isTransient: true })
      }
    },
    async close() {
      await agent?.destroy()
    },
  }
}

async function readText({ body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new ModelError(`the model answered with more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const readHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]))
