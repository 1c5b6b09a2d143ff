import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { recordAnswers } from '../../../src/features/browser/render/record-answers.js'

test('requests that cannot be sent over HTTP take no place among the recorded ones', async () => {
  const body = JSON.stringify({ items: Array.from({ length: 20 }, (_, id) => ({ id })) })
  const session = Object.assign(new EventEmitter(), { send: async () => ({ body, base64Encoded: false }) })
  const context: unknown = { newCDPSession: async () => session }
  const recorder = await recordAnswers({ context, page: {} } as Parameters<typeof recordAnswers>[0])
  const unusable = [
    'data:application/json,[]',
    'blob:https://shop.test/3f1c',
    `https://shop.test/api?q=${'x'.repeat(8000)}`,
  ]
  const urls = [...Array.from({ length: 20 }, () => unusable).flat(), 'https://shop.test/api?page=2']
  for (const [at, url] of urls.entries()) {
    const requestId = String(at)
    session.emit('Network.requestWillBeSent', { requestId, request: { url, method: 'GET', headers: {} }, type: 'XHR' })
    session.emit('Network.responseReceived', { requestId, response: { status: 200, mimeType: 'application/json' } })
    session.emit('Network.loadingFinished', { requestId })
  }
  await recorder.hasSeries()
  expect(recorder.answers).toEqual([{ url: 'https://shop.test/api?page=2', headers: {}, text: body }])
})
