import { Agent, type Dispatcher, request } from 'undici'
import { messageOf } from '../errors.js'
import { ModelError, type ModelTools } from './llm.js'

/** Posts JSON to where the host says that a model stands. */
export interface Poster extends ModelTools {
  close(): Promise<void>
}

const MAX_BYTES = 16 * 1024 * 1024
const CONNECT_TIMEOUT_MS = 10_000

/**
 * Connections to the model that the host named. The rules for addresses do not hold here: they keep what a page or a caller
 * names out of the host's network, and this address is the host's own word, mostly a server on the same machine. So that it stays
 * the host's word, no redirect is followed, and no proxy stands between.
 */
export function createPoster(): Poster {
  let agent: Agent | undefined
  return {
    async post(url, headers, body, signal) {
      agent ??= new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, headersTimeout: 0, bodyTimeout: 0 })
      try {
        const answer = await request(url, { method: 'POST', dispatcher: agent, headers, body, signal })
        const text = await readText(answer)
        return { statusCode: answer.statusCode, headers: readHeaders(answer.headers), text }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (error instanceof ModelError) throw error
        const { code }: { code?: unknown } = Object(error)
        const why = typeof code === 'string' ? code : messageOf(error)
        throw new ModelError(`the model at ${url.host} could not be reached: ${why}`, { isTransient: true })
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
