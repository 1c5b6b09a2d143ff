import { describe, expect, it } from 'vitest'
import { type PageAnswer, packMessage, unpackMessage } from '../../src/page/page-task.js'

const use = { requests: 1, bytes: 1, browserMs: 0, gained: [], isPlain: true }
const answerOf = (markdown: string): PageAnswer => ({
  kind: 'page',
  page: {
    document: {
      markdown,
      metadata: {
        scrapeId: '1',
        sourceURL: 'https://a.test/',
        url: 'https://a.test/',
        statusCode: 200,
        proxyUsed: 'basic',
        creditsUsed: 1,
      },
    },
    links: [],
    fetcher: 'http',
    fetcherReason: undefined,
    blockedBy: undefined,
    fingerprint: undefined,
    blocks: { whole: 1, hashes: new Float64Array([1, 2]), droppable: new Uint8Array([0, 1]) },
    rawBytes: 1,
    linkHeader: undefined,
    siteResponse: undefined,
    fetchedAtMs: 1,
    version: undefined,
  },
  use,
})

describe('a message between engines', () => {
  it('arrives as it was, and its arrays do not keep the rest of it in memory', async () => {
    const answer = answerOf('x'.repeat(100_000))
    const got = await unpackMessage(await packMessage(answer))
    expect(got).toEqual(answer)
    const { blocks } = got.kind === 'page' ? got.page : {}
    expect([blocks?.hashes.buffer.byteLength, blocks?.droppable?.buffer.byteLength]).toEqual([16, 2])
  })

  it('is refused when it is large, however well it is compressed', async () => {
    await expect(packMessage(answerOf('x'.repeat(33 * 1024 * 1024)))).rejects.toThrow(RangeError)
  })
})
