import { describe, expect, it } from 'vitest'
import { BATCH_BYTES, type ByteStorage, type StoredBytes } from '../../../src/base/store/byte-storage.js'
import { CompressedBytes } from '../../../src/base/store/compressed-bytes.js'
import { fromBytes, toBytes } from '../../../src/base/store/value-bytes.js'
import { SpillingBuffer } from '../../../src/base/store/spilling-buffer.js'

const parts = Array.from({ length: 40 }, (_, n) => Buffer.from(`${n} äöü ☃ 🎉 `.repeat(n)))

describe('bytes that are compressed in memory', () => {
  it('are read back, whatever the order, also after some were dropped', async () => {
    const storage = new CompressedBytes()
    const [first, second] = [await storage.write(parts), await storage.write(parts.toReversed())]
    for (const [at, stored] of first.entries()) if (at !== 7) stored.drop()
    expect(await first[7]?.read()).toEqual(parts[7])
    for (const [at, stored] of second.entries()) expect(await stored.read()).toEqual(parts.at(-1 - at))
    expect(await Promise.all(second.map((stored) => stored.read()))).toEqual(parts.toReversed())
  })
})

describe('a document as bytes', () => {
  it('is the same when it is read, with its fields in their places', () => {
    const [wide, latin, half] = ['# äöü ☃ 🎉 ', '# äöü ', '# ☃ \ud83c '].map((text) => text.repeat(300))
    const metadata = { title: '☃', statusCode: 200, n: 1.5 }
    for (const document of [
      { markdown: wide, links: ['https://site.test/'], html: latin, rawHtml: half, json: null, metadata },
      wide,
    ]) {
      const read = fromBytes(toBytes(document))
      expect(read).toEqual(document)
      expect(JSON.stringify(read)).toBe(JSON.stringify(document))
    }
  })

  it('takes as many bytes as its text in UTF-8', () => {
    const markdown = `${'letters '.repeat(1000)}–`
    expect(toBytes({ markdown }).length).toBeLessThan(8200)
  })

  it('has what JSON has of values that cannot be copied', () => {
    const document = { markdown: 'text', json: { call: () => 'nothing', date: new Date(0), list: [1, () => 2] } }
    expect(fromBytes(toBytes(document))).toEqual({
      markdown: 'text',
      json: { date: '1970-01-01T00:00:00.000Z', list: [1, null] },
    })
  })
})

/** A storage that notes the size of each batch. */
class CountingStorage implements ByteStorage {
  readonly batches: number[] = []
  readonly heldBytes = 0
  dropped = 0

  async write(written: readonly Uint8Array[]): Promise<readonly StoredBytes[]> {
    this.batches.push(written.reduce((sum, { length }) => sum + length, 0))
    return written.map((bytes) => ({ read: async () => bytes, drop: () => void (this.dropped += 1) }))
  }

  async close(): Promise<void> {}
}

describe('the documents of a job that exceed the memory budget', () => {
  const large = 'x'.repeat(100_000)

  it('are written in batches, none of which holds the event loop for long', async () => {
    const storage = new CountingStorage()
    const buffer = new SpillingBuffer<string>({ maxBytes: 4_000_000, usedBytes: 0, rowBytes: 0 }, storage)
    for (let order = 0; order < 41; order += 1) await buffer.add([{ order, document: large }], large.length)
    expect(storage.batches.length).toBeGreaterThan(3)
    expect(Math.max(...storage.batches)).toBeLessThan(400_000)
    expect(await buffer.readCompleted(0, 100, false)).toHaveLength(41)
  })

  it('count once when the job is forgotten while they are being written', async () => {
    const storage = new CountingStorage()
    const budget = { maxBytes: 150_000, usedBytes: 0, rowBytes: 0 }
    const buffer = new SpillingBuffer<string>(budget, storage)
    await buffer.add([{ order: 0, document: large }], large.length)
    const writing = buffer.add([{ order: 1, document: large }], large.length)
    while (storage.batches.length === 0) await Promise.resolve()
    buffer.clear()
    await writing
    expect([budget.usedBytes, storage.dropped]).toEqual([0, 2])
  })

  it('stay in memory up to the budget, and of those of a job that has exceeded it two batches at most', async () => {
    const storage = new CountingStorage()
    const budget = { maxBytes: 4_000_000, usedBytes: 0, rowBytes: 0 }
    const buffer = new SpillingBuffer<string>(budget, storage)
    const used: number[] = []
    for (let order = 0; order < 100; order += 1) {
      await buffer.add([{ order, document: large }], large.length)
      used.push(budget.usedBytes)
    }
    expect(Math.max(...used.slice(0, 40))).toBe(4_000_000)
    expect(Math.max(...used.slice(40))).toBeLessThan(2 * BATCH_BYTES)
    expect(await buffer.readCompleted(0, 100, false)).toHaveLength(100)
    buffer.clear()
    expect(budget.usedBytes).toBe(0)
  })

  it('are dropped from the storage when they are acknowledged', async () => {
    const storage = new CountingStorage()
    const buffer = new SpillingBuffer<string>({ maxBytes: 150_000, usedBytes: 0, rowBytes: 0 }, storage)
    for (let order = 0; order < 3; order += 1) await buffer.add([{ order, document: large }], large.length)
    for (let sequence = 0; sequence < 3; sequence += 1) buffer.acknowledge(sequence, true)
    expect(storage.dropped).toBe(2)
    expect(await buffer.readCompleted(0, 100, false)).toEqual([])
  })
})
