import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PgDatabase } from '../../../src/features/machines/postgres/database.js'
import { createTaskQueue } from '../../../src/features/machines/tasks/postgres-task-queue.js'
import {
  EXCHANGE_AS_OWNER,
  EXCHANGE_AS_WORKER,
  FREE_TASKS,
  HAS_WORKERS,
  LIST_TASKS,
} from '../../../src/features/machines/tasks/task-statements.js'
import type { PgRow } from '../../../src/base/postgres/pg-driver.js'

type Reply = (values: readonly unknown[]) => readonly PgRow[]

/** A server that gives the same rows to each statement. */
function fakeDatabase(replies: ReadonlyMap<string, Reply>) {
  const asked: { text: string; values: readonly unknown[] }[] = []
  const listeners: (() => void)[] = []
  const reply = (text: string, values: readonly unknown[]): readonly PgRow[] => {
    asked.push({ text, values })
    return replies.get(text)?.(values) ?? []
  }
  let connects = 0
  const database: Pick<
    PgDatabase,
    'owner' | 'connect' | 'connectInBackground' | 'schema' | 'run' | 'runInBackground' | 'onNotified'
  > = {
    owner: 1,
    connect: async () => {
      connects += 1
      return 1
    },
    connectInBackground: async () => 1,
    schema: 'trawl',
    run: async (_, statements) => statements.map(({ text, values }) => reply(text, values)),
    runInBackground: async (_, { text, values }) => reply(text, values),
    onNotified: (_, listener) => void listeners.push(() => listener('')),
  }
  const count = (text: string): number => asked.filter((one) => one.text === text).length
  return {
    database: database as PgDatabase,
    asked,
    count,
    countConnects: () => connects,
    notify: () => listeners.forEach((listener) => listener()),
  }
}

const never = new AbortController().signal
const task = { jobId: 'job', payload: 'page', leaseMs: 40_000 }

describe('the queue of tasks', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('keeps no process alive by what it asks of the server for the tasks that it has sent', async () => {
    const server = fakeDatabase(new Map())
    const queue = createTaskQueue(server.database)
    void queue.send(task, never)
    await vi.advanceTimersByTimeAsync(1000)
    expect(server.count(LIST_TASKS)).toBeGreaterThan(0)
    expect(server.countConnects()).toBe(0)
    queue.close()
  })

  it('ends a task that no worker takes, although there is one, and later one for the worker that has its page', async () => {
    const server = fakeDatabase(
      new Map<string, Reply>([
        [HAS_WORKERS, () => [{ found: true, orphans: false }]],
        [FREE_TASKS, () => [{ places: 4, tasks: 0, owners: 0 }]],
        [
          LIST_TASKS,
          () => [1, 2].map((number) => ({ number, losses: 0, answered: false, waits: true, stranded: false })),
        ],
      ]),
    )
    const queue = createTaskQueue(server.database)
    const ends: unknown[] = []
    void queue.send(task, never).then((end) => ends.push(end))
    void queue.send({ ...task, near: 2 }, never).then((end) => ends.push(end))
    await vi.advanceTimersByTimeAsync(9000)
    expect(ends).toEqual([])
    await vi.advanceTimersByTimeAsync(3000)
    expect(ends).toEqual([{ reason: 'unserved' }])
    await vi.advanceTimersByTimeAsync(30_000)
    expect(ends).toHaveLength(2)
    queue.close()
  })

  it('sends tasks early to workers that answer fast, and none to those that take long', async () => {
    let sent = 0
    const answers: PgRow[] = []
    const server = fakeDatabase(
      new Map<string, Reply>([
        [HAS_WORKERS, () => [{ found: true, orphans: false }]],
        [FREE_TASKS, () => [{ places: 8, tasks: 0, owners: 0 }]],
        [EXCHANGE_AS_OWNER, () => answers.splice(0)],
      ]),
    )
    const queue = createTaskQueue(server.database)
    const capacities: number[] = []
    const unfollow = queue.follow('1', () => capacities.push(queue.capacity))
    const answer = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at += 1) {
        void queue.send(task, never)
        answers.push({ number: ++sent, worker: 2, answer: 'document' })
      }
      await vi.advanceTimersByTimeAsync(1000)
    }
    await answer(0)
    expect(capacities).toEqual([8])
    await answer(3)
    expect(capacities).toEqual([8])
    await answer(40)
    expect(capacities).toEqual([8, 10, 8])
    unfollow()
    queue.close()
  })

  it('asks for no task without a free place, nor for a place whose answer waits to be sent', async () => {
    let number = 0
    let isAway = false
    const wanted: unknown[] = []
    const server = fakeDatabase(
      new Map<string, Reply>([
        [
          EXCHANGE_AS_WORKER,
          (values) => {
            wanted.push(values[4])
            if (isAway) throw new Error('the server is away')
            return Array.from({ length: Number(values[4]) }, () => ({ owner: 2, number: ++number, payload: 'page' }))
          },
        ],
      ]),
    )
    let finish = (): void => undefined
    const handle = (): Promise<string> => new Promise((resolve) => (finish = () => resolve('answer')))
    const worker = await createTaskQueue(server.database).work('1', { places: 1, handle })
    await vi.advanceTimersByTimeAsync(20)
    expect(wanted).toEqual([1])
    server.notify()
    await vi.advanceTimersByTimeAsync(20)
    expect(wanted).toEqual([1])
    isAway = true
    finish()
    await vi.advanceTimersByTimeAsync(600)
    isAway = false
    await vi.advanceTimersByTimeAsync(600)
    // The statement that carries the answer frees its place.
    expect(wanted.every((places) => places === 1)).toBe(true)
    expect(number).toBe(2)
    finish()
    await worker.stop(true)
  })

  it('gives tasks back at once when a worker that finishes them is stopped without', async () => {
    const server = fakeDatabase(
      new Map<string, Reply>([
        [EXCHANGE_AS_WORKER, (values) => (values[4] === 1 ? [{ owner: 2, number: 1, payload: '' }] : [])],
      ]),
    )
    const handle = (_: string, signal: AbortSignal): Promise<undefined> =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
    const worker = await createTaskQueue(server.database).work('1', { places: 1, handle })
    await vi.advanceTimersByTimeAsync(20)
    const drained = worker.stop(true)
    await vi.advanceTimersByTimeAsync(100)
    await worker.stop(false)
    await drained
    expect(server.asked.at(-1)?.values[2]).toBe('[{"owner":2,"number":1}]')
    expect(server.asked.map(({ text }) => text.slice(0, 8))).toContain('UNLISTEN')
  })
})
