import { readdirSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { QUICK_MS, TAKEN_BACK, TIME_IS_UP } from '../../../src/content/digest/workers/thread.js'
import { startThreads, type Threads } from '../../../src/content/digest/workers/threads.js'
import { ENDED } from '../../../src/content/digest/workers/worker.js'
import { bytes, pageUrl } from '../parse/pages.js'
import { digestPlan } from './plans.js'

const HOUR_MS = 3_600_000
const task = { input: { url: pageUrl, body: bytes('<p>Hello'), contentType: 'text/html' }, plan: digestPlan() }
/** A page that takes a second or more. */
const long = { ...task, input: { ...task.input, body: bytes('<p>word '.repeat(20_000)) } }
/** No thread comes to an end with this: for each of the siblings, all before it are tried, for each step of the selector. */
const endless = {
  input: { ...task.input, body: bytes('<i>x</i>'.repeat(5000)) },
  plan: digestPlan({ excludeTags: ['b ~ i ~ i ~ i ~ i ~ i'] }),
}
const never = new AbortController().signal
let threads: Threads

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  threads = await startThreads({ count: { now: 1 }, maxHeapMib: 256 })
})

afterEach(async () => {
  vi.restoreAllMocks()
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

it('sends a task to a thread that works, which then goes on without its owner', async () => {
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  const begun: string[] = []
  const first = threads.run(long, { signal: never, limitMs: HOUR_MS, onBegin: () => begun.push('first') })
  const second = threads.run(task, { signal: never, limitMs: HOUR_MS, onBegin: () => begun.push('second') })
  // Without the timers of `vi.waitFor`, after which the second would be taken back.
  while (post.mock.calls.length < 2) await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toEqual(['first'])
  expect((await Promise.all([first, second])).map((answer) => 'digest' in answer)).toEqual([true, true])
  expect(begun).toEqual(['first', 'second'])
})

it('takes a page back that waits for a slow one, and leaves it out', async () => {
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  const first = threads.run(long, { signal: never, limitMs: HOUR_MS, onBegin: () => undefined })
  const second = threads.run(task, { signal: never, limitMs: HOUR_MS, onBegin: () => undefined })
  const file = threads.run(task, { signal: never, limitMs: HOUR_MS })
  while (post.mock.calls.length < 3) await new Promise((resolve) => setImmediate(resolve))
  expect(threads.areHeld).toBe(false)
  vi.advanceTimersByTime(QUICK_MS)
  expect(threads.areHeld).toBe(true)
  await expect(second).rejects.toBe(TAKEN_BACK)
  await expect(Promise.all([first, file])).resolves.toMatchObject([{ digest: {} }, { digest: {} }])
  expect(threads.areHeld).toBe(false)
  await expect(threads.run(task, { signal: never, limitMs: HOUR_MS })).resolves.toHaveProperty('digest')
})

it('repeats a task whose thread another task has ended', async () => {
  const end = vi.spyOn(Worker.prototype, 'terminate')
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  const first = threads.run(endless, { signal: never, limitMs: HOUR_MS })
  const second = threads.run(task, { signal: never, limitMs: HOUR_MS })
  await vi.waitFor(() => expect(post).toHaveBeenCalledTimes(2))
  // The process has had nearly no processor time in these hours, so that the task may take four of them.
  vi.advanceTimersByTime(3.5 * HOUR_MS)
  expect(end).not.toHaveBeenCalled()
  vi.advanceTimersByTime(HOUR_MS)
  await expect(first).rejects.toBe(TIME_IS_UP)
  await expect(second).resolves.toHaveProperty('digest')
})

it('rejects an aborted task at once, and ends its thread only if the task has begun', async () => {
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  const end = vi.spyOn(Worker.prototype, 'terminate')
  const aborts = [new AbortController(), new AbortController()] as const
  const first = threads.run(endless, { signal: aborts[0].signal, limitMs: HOUR_MS })
  const second = threads.run(task, { signal: aborts[1].signal, limitMs: HOUR_MS })
  await vi.waitFor(() => expect(post).toHaveBeenCalledTimes(2))
  aborts[1].abort(new Error('second'))
  await expect(second).rejects.toThrow('second')
  expect(end).not.toHaveBeenCalled()
  const third = threads.run(task, { signal: never, limitMs: HOUR_MS })
  await vi.waitFor(() => expect(post).toHaveBeenCalledTimes(3))
  // Nothing but the thread uses processor time here: it has begun the first task.
  const before = process.cpuUsage()
  await vi.waitFor(() => expect(process.cpuUsage(before).user).toBeGreaterThan(300_000), 60_000)
  aborts[0].abort(new Error('first'))
  await expect(first).rejects.toThrow('first')
  expect(end).toHaveBeenCalled()
  await expect(third).resolves.toHaveProperty('digest')
})

it('rejects a task whose answer cannot be read', async () => {
  const on = vi.spyOn(Worker.prototype, 'on')
  await threads.close()
  threads = await startThreads({ count: { now: 1 }, maxHeapMib: 256 })
  const fail = on.mock.calls.find(([event]) => (event as string) === 'messageerror')?.[1]
  const running = threads.run(endless, { signal: never, limitMs: HOUR_MS })
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  await vi.waitFor(() => expect(post).toHaveBeenCalledTimes(1))
  fail?.(new Error('unreadable'))
  await expect(running).rejects.toThrow('unreadable')
})

it('does not end a thread for a task whose answer came while the caller was busy', async () => {
  const notes: Int32Array[] = []
  const Shared = SharedArrayBuffer
  vi.stubGlobal(
    'SharedArrayBuffer',
    class extends Shared {
      constructor(length: number) {
        super(length)
        notes.push(new Int32Array(this))
      }
    },
  )
  await threads.close()
  threads = await startThreads({ count: { now: 1 }, maxHeapMib: 256 })
  vi.unstubAllGlobals()
  const end = vi.spyOn(Worker.prototype, 'terminate')
  const running = threads.run(task, { signal: never, limitMs: HOUR_MS })
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  while (post.mock.calls.length === 0) await Promise.resolve()
  // The thread answers meanwhile, however long it takes to start on a busy machine.
  for (let turn = 0; turn < 300 && !notes.some((of) => Atomics.load(of, ENDED) > 0); turn += 1)
    Atomics.wait(new Int32Array(new Shared(4)), 0, 0, 100)
  vi.advanceTimersByTime(4 * HOUR_MS)
  await expect(running).resolves.toHaveProperty('digest')
  expect(end).not.toHaveBeenCalled()
})

it('leaves out a task that was aborted before its thread began it', async () => {
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  const end = vi.spyOn(Worker.prototype, 'terminate')
  const abort = new AbortController()
  const first = threads.run(long, { signal: never, limitMs: HOUR_MS })
  const second = threads.run(endless, { signal: abort.signal, limitMs: HOUR_MS })
  while (post.mock.calls.length < 2) await new Promise((resolve) => setImmediate(resolve))
  abort.abort(new Error('second'))
  const third = threads.run(task, { signal: never, limitMs: HOUR_MS })
  await expect(second).rejects.toThrow('second')
  expect((await Promise.all([first, third])).map((answer) => 'digest' in answer)).toEqual([true, true])
  expect(end).not.toHaveBeenCalled()
})

it('counts the time of a thread that a task has ended', async () => {
  const abort = new AbortController()
  const running = threads.run(endless, { signal: abort.signal, limitMs: HOUR_MS })
  await vi.waitFor(() => expect(threads.busyMs).toBeGreaterThan(20))
  const before = threads.busyMs
  abort.abort(new Error('ended'))
  await expect(running).rejects.toThrow('ended')
  expect(threads.busyMs).toBeGreaterThanOrEqual(before)
})

it('gives tasks to fewer threads once their number has fallen, and the others finish theirs', async () => {
  await threads.close()
  const count = { now: 2 }
  threads = await startThreads({ count, maxHeapMib: 256 })
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  const run = (): Promise<unknown> => threads.run(long, { signal: never, limitMs: HOUR_MS })
  const before = [run(), run()]
  while (post.mock.calls.length < 2) await new Promise((resolve) => setImmediate(resolve))
  const [first, second] = post.mock.contexts
  expect(first).not.toBe(second)
  count.now = 1
  await Promise.all([...before, run(), run()])
  expect(post.mock.contexts.slice(2)).toEqual([first, first])
})

it('lets a thread rest that was started for a task which could not be sent', async () => {
  await threads.close()
  threads = await startThreads({ count: { now: 2 }, maxHeapMib: 256 })
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  const unref = vi.spyOn(Worker.prototype, 'unref')
  const abort = new AbortController()
  const busy = threads.run(endless, { signal: abort.signal, limitMs: HOUR_MS })
  while (post.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const plan = { ...task.plan, parse: { ...task.plan.parse, maxNodes: (() => 1) as unknown as number } }
  await expect(threads.run({ ...task, plan }, { signal: never, limitMs: HOUR_MS })).rejects.toThrow(
    'could not be cloned',
  )
  await vi.waitFor(() => expect(unref.mock.contexts).toContain(post.mock.contexts[1]), { timeout: 20_000 })
  abort.abort(new Error('ended'))
  await expect(busy).rejects.toThrow('ended')
})

it.runIf(process.platform === 'linux')('work at a lower priority than the thread of their owner', async () => {
  await threads.run(task, { signal: never, limitMs: HOUR_MS })
  const niceness = (thread: string): number =>
    Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ')[16])
  const own = niceness(String(process.pid))
  const all = readdirSync('/proc/self/task').map(niceness)
  expect(all.filter((value) => value === Math.min(own + 10, 19)).length).toBeGreaterThan(0)
  expect(own).toBeLessThan(19)
})
