import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { followSignals } from '../../../src/base/concurrency/deadline.js'
import { onAbort } from '../../../src/base/concurrency/on-abort.js'
import { untilAborted } from '../../../src/base/concurrency/until-aborted.js'
import { WaitingQueue } from '../../../src/base/concurrency/waiting-queue.js'

/** Ways to wait for a signal. */
const waits: Readonly<Record<string, (signal: AbortSignal) => void>> = {
  onAbort: (signal) => onAbort(signal, () => undefined),
  untilAborted: (signal) => void untilAborted(new Promise(() => undefined), signal).catch(() => undefined),
  followSignals: (signal) => void followSignals(signal),
  WaitingQueue: (signal) => void new WaitingQueue().wait(signal).catch(() => undefined),
}

it.each(Object.keys(waits))('lets any number of callers wait for one signal: %s', async (name) => {
  const warnings: Error[] = []
  const note = (warning: Error): void => void warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const controller = new AbortController()
  for (let at = 0; at < 20; at += 1) waits[name]?.(controller.signal)
  controller.abort()
  // Warnings come in the next turn of the event loop.
  await sleep(0)
  expect(warnings).toEqual([])
})
