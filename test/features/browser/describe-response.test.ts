import type { Page, Response } from 'playwright'
import { describe, expect, it } from 'vitest'
import { messageOf } from '../../../src/base/errors.js'
import type { DocumentWatch } from '../../../src/features/browser/page/document-watch.js'
import type { PageProxy } from '../../../src/features/browser/proxy/page-proxy.js'
import { describeResponse, findShownResponse } from '../../../src/features/browser/navigation/describe-response.js'

const respond = (url: string, status: number, reason: string): Response =>
  ({ url: () => url, status: () => status, statusText: () => reason }) as Partial<Response> as Response

const watch = (...answers: Response[]): DocumentWatch => ({ answers }) as Partial<DocumentWatch> as DocumentWatch

const url = new URL('https://example.com/')

describe('what a site says of its answer to the browser', () => {
  it.each([
    [`Gone\taway ${'x'.repeat(10_000)}`, `Gone away ${'x'.repeat(90)}`],
    ['\u0007', 'Not Found'],
  ])('is no more than a line of a reason phrase', (reason, error) => {
    const answer = respond(url.href, 404, reason)
    expect(describeResponse(answer, {}, watch(answer), url).error).toBe(error)
  })

  it('is the start of each URL of a chain that is too long', () => {
    const chain = [1, 2, 3].map((step) => respond(`${url.href}${step}${'x'.repeat(7000)}`, 302, 'Found'))
    const page = { url: () => url.href } as Page
    const opened = { documents: watch(...chain), page, proxy: {} as PageProxy }
    const find = (): Response => findShownResponse(opened, url, 1)
    const message = catchMessage(find)
    expect(message).toContain('https://example.com/2xxx')
    expect(message.length).toBeLessThan(600)
  })
})

function catchMessage(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    return messageOf(error)
  }
  return ''
}
