import { startSite, type Site } from './site.js'
import type { Exchange } from './exchange.js'

/** A request that the model got. */
export interface ModelCall {
  /** 1 for the first. */
  readonly number: number
  readonly system: string
  readonly prompt: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Exchange['request']['headers']
}

/** An answer: what the model says, or how the server fails. */
export interface ModelReply {
  /** An object is written as JSON. */
  readonly says?: unknown
  readonly finish?: 'stop' | 'length' | 'content_filter'
  readonly refusal?: string
  /** @default a token for every four bytes */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** In place of a completion. */
  readonly raw?: string
  /** Waits before it answers. */
  readonly delayMs?: number
  /** Closes the connection without an answer. */
  readonly hangsUp?: boolean
}

/** What the model does when it is asked. */
export type Behaviour = (call: ModelCall) => ModelReply

/** A server that speaks OpenAI's chat completions on loopback, and does what it is told, good or bad. */
export interface ModelServer extends AsyncDisposable {
  readonly site: Site
  readonly baseUrl: string
  readonly calls: readonly ModelCall[]
  /** The most requests that were open at once. */
  readonly mostOpen: number
}

export async function startModelServer(behaviour: Behaviour): Promise<ModelServer> {
  const calls: ModelCall[] = []
  let open = 0
  let mostOpen = 0
  const answer = async ({ request, response }: Exchange): Promise<void> => {
    open += 1
    mostOpen = Math.max(mostOpen, open)
    try {
      const chunks: Uint8Array[] = []
      for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk)
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] }
      const [system, user] = body.messages
      const call = {
        number: calls.length + 1,
        system: system?.content ?? '',
        prompt: user?.content ?? '',
        body,
        headers: request.headers,
      }
      calls.push(call)
      const reply = behaviour(call)
      if (reply.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.delayMs).unref())
      if (reply.hangsUp) return void response.destroy()
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
      response.end(reply.raw ?? JSON.stringify(complete(reply, call)))
    } finally {
      open -= 1
    }
  }
  const site = await startSite({ pages: { '/v1/chat/completions': answer } })
  return {
    site,
    baseUrl: `${site.origin}/v1`,
    calls,
    get mostOpen() {
      return mostOpen
    },
    [Symbol.asyncDispose]: () => site.close(),
  }
}

function complete({ says = '', finish = 'stop', refusal, usage }: ModelReply, { system, prompt }: ModelCall): object {
  const content = typeof says === 'string' ? says : JSON.stringify(says)
  const counted = {
    prompt_tokens: Math.ceil((system.length + prompt.length) / 4),
    completion_tokens: Math.ceil(content.length / 4),
  }
  return {
    id: 'c1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: finish,
        message: { role: 'assistant', content: refusal === undefined ? content : null, refusal },
      },
    ],
    ...(usage === null ? {} : { usage: usage ?? counted }),
  }
}
