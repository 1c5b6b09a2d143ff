import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Document, JobStatus } from '../../src/index.js'

/** Writes a page of content with these links. */
export const page = (...links: string[]): string =>
  `<!doctype html><title>t</title><main><h1>Page</h1><p>Some words that are the content of this page.</p>${links
    .map((href) => `<a href="${href}">to ${href}</a>`)
    .join('\n')}</main>`

/** The answer of a server. */
export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Sends a request as a client of the interface does. */
export async function ask(
  base: string,
  method: string,
  path: string,
  body?: unknown,
  headers: object = {},
): Promise<Answer> {
  const response = await fetch(path.startsWith('http') ? path : `${base}${path}`, {
    method,
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

/** Polls the status of a job until it has ended. */
export async function untilEnded(base: string, url: string): Promise<JobStatus<Document>> {
  for (;;) {
    const answer = await ask(base, 'GET', url)
    expect(answer.status).toBe(200)
    const job = answer.body as unknown as JobStatus<Document>
    if (job.status !== 'scraping') return job
    await sleep(20)
  }
}
