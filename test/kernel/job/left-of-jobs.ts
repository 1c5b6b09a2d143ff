import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished } from 'vitest'
import type { Job } from '../../../src/index.js'
import type { Document } from '../../../src/kernel/page/document.js'
import { JobRunner } from '../../../src/kernel/job/run/job-runner.js'

/** Reads a list to its end. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

setFlagsFromString('--expose-gc')
const runCollection = runInNewContext('gc') as () => void

/** Collects what nothing refers to. A weak reference keeps its object until the turn of the event loop ends. */
export async function collectGarbage(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    runCollection()
  }
}

/** Notes the jobs in their working form that are made. */
export const noteRunners = (): NotedObjects => noteObjects(JobRunner.prototype, 'ended')

/** Objects of a class that were used. */
export interface NotedObjects {
  /** Waits until nothing refers to them. */
  letGo(): Promise<void>
}

/** Notes the objects of a class by a getter or a method. Not with a spy, which keeps the objects that it is called on. */
export function noteObjects<Of extends object>(prototype: Of, name: keyof Of & string): NotedObjects {
  const made = new Set<WeakRef<object>>()
  const known = new WeakSet<object>()
  const property = Object.getOwnPropertyDescriptor(prototype, name)
  if (!property) throw new Error(`\`${name}\` is elsewhere`)
  const { get, value } = property as { get?: () => unknown; value?: unknown }
  const note = (one: object): void => {
    if (!known.has(one)) made.add(new WeakRef(one))
    known.add(one)
  }
  const noted = get
    ? {
        get(this: Of) {
          note(this)
          return get.call(this)
        },
      }
    : {
        value(this: Of, ...given: unknown[]) {
          note(this)
          return (value as (...all: unknown[]) => unknown).apply(this, given)
        },
      }
  Object.defineProperty(prototype, name, { ...property, ...noted })
  onTestFinished(() => void Object.defineProperty(prototype, name, property))
  return {
    async letGo() {
      expect(made.size).toBeGreaterThan(0)
      // An idle connection may keep the last page for a while.
      const alive = async (): Promise<number> => {
        await collectGarbage()
        return [...made].filter((one) => one.deref()).length
      }
      await expect.poll(alive, { timeout: 20_000 }).toBe(0)
    },
  }
}

/** Reads everything that a job tells of its pages. @param urls one that it knows, and one that it does not */
export async function readAll(
  job: Job<Document>,
  urls: readonly [known: string, unknown: string],
): Promise<Record<string, unknown>> {
  const { asOf: _, ...status } = (await job.status()) as Awaited<ReturnType<typeof job.status>> & { asOf?: unknown }
  return {
    json: JSON.stringify(job),
    status,
    page: await job.status({ skip: 1, limit: 1 }),
    errors: await job.errors(),
    rows: await collect(job.urls()),
    known: await job.explain(urls[0]),
    unknown: await job.explain(urls[1]),
    documents: await collect(job).catch((error: unknown) => error),
    resumed: await job.resume(),
    cancelled: await job.cancel(),
  }
}
