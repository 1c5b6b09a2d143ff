import { expect, it } from 'vitest'
import { digestHere } from '../../../src/content/digest/workers/digest-here.js'
import { bytes, pageUrl } from '../parse/pages.js'
import { digestPlan } from './plans.js'

const limits = { limitMs: 500, signal: new AbortController().signal }
const LONGER_MS = 600
const body = bytes(`<p>${'word '.repeat(1000)}</p>`)
const input = { url: pageUrl, body, contentType: 'text/html' }

it('a page on the caller’s thread is read to its end when only other work there has taken the time', async () => {
  const making = digestHere(input, digestPlan(), {}, limits)
  setImmediate(() => {
    for (const untilMs = performance.now() + LONGER_MS; performance.now() < untilMs;);
  })
  expect(await making).toMatchObject({ warnings: [] })
})

it('a page on the caller’s thread is read to its end when another process has had the processor', async () => {
  const later = {
    ...input,
    get body() {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LONGER_MS)
      return body
    },
  }
  expect(await digestHere(later, digestPlan(), {}, limits)).toMatchObject({ warnings: [] })
})
