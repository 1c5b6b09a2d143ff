import { describe, expect, it } from 'vitest'
import { LedgerStream } from '../../../src/kernel/job/delivery/document-stream.js'
import type { Delivery } from '../../../src/kernel/ledger/ledger.js'
import type { Document } from '../../../src/kernel/page/document.js'

type Completed = (from: number, limit: number) => Promise<readonly Delivery<Document>[]>

const documentOf = (text: string): Document => text as unknown as Document

/** A job whose ledger has these documents. */
const jobOf = (completed: Completed, hasEnded: () => boolean = () => false) => ({
  id: 'a',
  acknowledges: false,
  dropsDocuments: false,
  ledger: async () => ({ completed, delivered: async () => 0, acknowledge: async () => undefined }),
  confirm: () => undefined,
  findFault: () => undefined,
  hasEnded,
})

async function readAll(documents: AsyncIterable<Document>): Promise<Document[]> {
  const all: Document[] = []
  for await (const document of documents) all.push(document)
  return all
}

function supply() {
  const deliveries: Delivery<Document>[] = []
  let ended = false
  let taken = 0
  const completed: Completed = async (from, limit) => deliveries.slice(from, from + limit)
  const desk = new LedgerStream(
    jobOf(completed, () => ended),
    () => (taken += 1),
  )
  return {
    desk,
    produce(text: string) {
      const document = documentOf(text)
      deliveries.push({ sequence: deliveries.length, order: deliveries.length, document, bytes: 10 })
      desk.push([document], 10)
    },
    end() {
      ended = true
      desk.wake()
    },
    taken: () => taken,
  }
}

describe('the stream of a job’s documents', () => {
  it('waits for no reader whose documents cannot be read', async () => {
    const fail: Completed = () => Promise.reject(new Error('the network is cut'))
    const stream = new LedgerStream(jobOf(fail), () => undefined)
    const reader = stream.read()
    stream.push([documentOf('a')], 10)
    expect(stream.waitingBytes).toBe(10)
    await expect(reader.next()).rejects.toThrow('the network is cut')
    expect(stream.waitingBytes).toBe(0)
  })

  it('reads the ledger again for news of further documents only', async () => {
    let reads = 0
    const completed: Completed = async (from) => {
      reads += 1
      return from < 3 ? [] : [{ sequence: 3, order: 3, document: documentOf('d'), bytes: 1 }]
    }
    const stream = new LedgerStream(jobOf(completed), () => undefined)
    stream.resumeFrom(3)
    const reader = stream.read()
    const first = reader.next()
    for (let news = 0; news < 5; news += 1) {
      await new Promise(setImmediate)
      stream.resumeFrom(3)
    }
    expect(reads).toBe(1)
    stream.resumeFrom(4)
    expect(await first).toEqual({ done: false, value: 'd' })
    expect(reads).toBe(2)
    await reader.return?.()
  })

  it('delivers every document to every reader, from the first one on, and ends with the job', async () => {
    const { desk, produce, end } = supply()
    produce('a')
    const early = readAll(desk.read())
    produce('b')
    const late = readAll(desk.read())
    produce('c')
    end()
    expect(await early).toEqual(['a', 'b', 'c'])
    expect(await late).toEqual(['a', 'b', 'c'])
    expect(await readAll(desk.read())).toEqual(['a', 'b', 'c'])
  })

  it('measures how far the slowest reader is behind, without readers that have left', async () => {
    const { desk, produce, taken } = supply()
    produce('a')
    expect(desk.waitingBytes).toBe(0)
    const slow = desk.read()
    const fast = desk.read()
    produce('b')
    expect(desk.waitingBytes).toBe(20)
    await fast.next()
    await fast.next()
    expect(desk.waitingBytes).toBe(20)
    await slow.next()
    expect(desk.waitingBytes).toBe(10)
    expect(taken()).toBe(3)
    await slow.return?.()
    expect(desk.waitingBytes).toBe(0)
  })

  it('resolves a waiting read when its reader is closed', async () => {
    const { desk } = supply()
    const reader = desk.read()
    const waiting = reader.next()
    await reader.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await reader.next()).toEqual({ done: true, value: undefined })
  })

  it('keeps the order of concurrent reads', async () => {
    const { desk, produce, end } = supply()
    const reader = desk.read()
    const reads = [reader.next(), reader.next(), reader.next()]
    produce('a')
    produce('b')
    end()
    expect((await Promise.all(reads)).map(({ value }) => value as string)).toEqual(['a', 'b', undefined])
  })
})
