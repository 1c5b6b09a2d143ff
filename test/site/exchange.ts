import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, pipeline } from 'node:stream'

/** One request and its answer, as a page or a fault of the site sees them. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** What was asked for, on the site's own origin. */
  readonly url: URL
  /** The path below the fault's name: `/status/404` gives `['404']`. */
  readonly rest: readonly string[]
  /** How often this very URL has been asked for, this time included. */
  readonly visits: number
}

/** What it gives back does not matter, but is waited for. */
export type Handler = (exchange: Exchange) => unknown

/** A number from the query, or what stands for it. */
export const readNumber = ({ url }: Exchange, name: string, otherwise: number): number =>
  Number(url.searchParams.get(name) ?? otherwise)

/** A small whole page. */
export const htmlPage = (title: string, body = `<p>${title}</p>`): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

export function sendPage(
  { response }: Exchange,
  html: string,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
  response.end(html)
}

export function sendJson({ response }: Exchange, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

/** Sends chunks for as long as there are any and somebody reads, no faster than they are read. */
export function sendChunks({ response }: Exchange, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): void {
  // A client that goes away in the middle is what most of these are for.
  pipeline(Readable.from(chunks, { objectMode: false }), response, () => undefined)
}
