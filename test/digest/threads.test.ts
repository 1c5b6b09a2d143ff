import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startThreads, type Threads } from '../../src/digest/workers/threads.js'
import { bytes, pageUrl } from '../parse/pages.js'
import { digestPlan } from './plans.js'

const HOUR_MS = 3_600_000
const task = { input: { url: pageUrl, body: bytes('<p>Hello'), contentType: 'text/html' }, plan: digestPlan() }
let threads: Threads

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  threads = await startThreads(256)
})

afterEach(async () => {
  vi.useRealTimers()
  await threads.close()
})

it('keeps a thread that works, although a task before was aborted before it began', async () => {
  await threads.run(task, { signal: new AbortController().signal, limitMs: HOUR_MS })
  const controller = new AbortController()
  const aborted = threads.run(task, { signal: controller.signal, limitMs: HOUR_MS })
  controller.abort(new Error('no longer wanted'))
  await expect(aborted).rejects.toThrow('no longer wanted')
  const running = threads.run(task, { signal: new AbortController().signal, limitMs: HOUR_MS })
  // The task begins in these microtasks, and cannot end: no turn of the event loop passes.
  for (let at = 0; at < 100; at += 1) await Promise.resolve()
  vi.advanceTimersByTime(HOUR_MS / 2)
  await expect(running).resolves.toHaveProperty('digest')
})
