import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The body of a report, as it came. */
export interface ReceivedReport {
  success: boolean
  type: string
  id: string
  webhookId: string
  data: { markdown?: string; metadata: { sourceURL: string; deliveryId?: number } }[]
  error?: string
  metadata: Record<string, string>
}

/** A report that a receiver was sent. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly raw: string
  readonly body: ReceivedReport
}

/** How a receiver answers. */
export type Answer = (response: ServerResponse, received: Received) => unknown

const ok: Answer = (response) => response.end()
const status =
  (code: number): Answer =>
  (response) =>
    response.writeHead(code).end()
const reset: Answer = (response) => response.socket?.resetAndDestroy()
const silence: Answer = () => undefined
const redirectTo =
  (location: string): Answer =>
  (response) =>
    response.writeHead(307, { location }).end()

/** 200, and then a body that never ends. */
const flood: Answer = (response) => {
  response.writeHead(200)
  const more = (): void => {
    if (response.destroyed) return
    if (response.write(Buffer.alloc(65_536))) setImmediate(more)
    else response.once('drain', more)
  }
  more()
}

/** 200, and then not a word. */
const trailOff: Answer = (response) => void response.writeHead(200, { 'content-length': '10' }).write('a')

/** What a receiver may do, good and bad. */
export const answers = { ok, status, reset, silence, redirectTo, flood, trailOff }

/** A server that is sent reports, and misbehaves on command. */
export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** What `received` says, by its types. */
  readonly types: readonly string[]
  answer: Answer
  /** Connections that were made so far, and those that are open. */
  readonly connections: number
  readonly openSockets: number
  close(): Promise<void>
}

/** @param port one that was in use before. @default any */
export async function startReceiver(answer: Answer = answers.ok, port = 0): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  const sockets = new Set<unknown>()
  const receiver: Receiver = {
    url: '',
    received,
    get types() {
      return received.map(({ body }) => body.type)
    },
    answer,
    get connections() {
      return connections
    },
    get openSockets() {
      return sockets.size
    },
    async close() {
      server.closeAllConnections()
      server.close()
      if (server.listening) await once(server, 'close')
    },
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    // A sender that gives up while it sends is no defect of the receiver.
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString()
      const report: Received = {
        path: request.url ?? '',
        headers: request.headers,
        raw,
        body: JSON.parse(raw) as ReceivedReport,
      }
      received.push(report)
      void receiver.answer(response, report)
    })
  })
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(receiver, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` })
}
