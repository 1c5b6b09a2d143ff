import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { cancelWith } from '../../../src/kernel/job/job-registry.js'
import type { JobHandle } from '../../../src/kernel/job/handle/job-handle.js'

/** A promise, and what resolves it. */
function makeEnd(): { ended: Promise<void>; end: () => void } {
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  return { ended, end }
}

/** A job that runs until its end is told, and notes why it was cancelled. */
function runJob() {
  const reasons: unknown[] = []
  const { ended, end } = makeEnd()
  const runner = { ended, isStopped: false, cancel: async (reason: unknown) => void reasons.push(reason) }
  return { handle: { runner } as unknown as JobHandle, reasons, end }
}

it('cancels a job whose signal aborts, or has aborted while the ledger was asked, and none that has ended', async () => {
  const running = runJob()
  const call = new AbortController()
  cancelWith(call.signal, running.handle)
  expect(running.reasons).toEqual([])
  call.abort('away')
  expect(running.reasons).toEqual(['away'])

  const late = runJob()
  cancelWith(AbortSignal.abort('gone'), late.handle)
  expect(late.reasons).toEqual(['gone'])

  const over = runJob()
  const after = new AbortController()
  cancelWith(after.signal, over.handle)
  over.end()
  await setImmediate()
  after.abort('too late')
  expect(over.reasons).toEqual([])
})
