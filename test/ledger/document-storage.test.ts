import { describe, expect, it } from 'vitest'
import { CompressedTexts } from '../../src/ledger/memory/compressed-texts.js'
import { SpillingDocumentBuffer } from '../../src/ledger/memory/spilling-document-buffer.js'
import { BATCH_BYTES, type StoredText, type TextStorage } from '../../src/ledger/memory/text-storage.js'

const texts = Array.from({ length: 40 }, (_, n) => `${n} äöü ☃ 🎉 `.repeat(n))

describe('texts that are compressed in memory', () => {
  it('are read back, whatever the order, also after some were dropped', async () => {
    const storage = new CompressedTexts()
    const [first, second] = [await storage.write(texts), await storage.write(texts.toReversed())]
    for (const [at, stored] of first.entries()) if (at !== 7) stored.drop()
    expect(await first[7]?.read()).toBe(texts[7])
    for (const [at, stored] of second.entries()) expect(await stored.read()).toBe(texts.at(-1 - at))
    expect(await Promise.all(second.map((stored) => stored.read()))).toEqual(texts.toReversed())
  })
})

/** A storage that notes the size of each batch. */
class CountingStorage implements TextStorage {
  readonly batches: number[] = []
  dropped = 0

  async write(written: readonly string[]): Promise<readonly StoredText[]> {
    this.batches.push(written.join('').length)
    return written.map((text) => ({ read: async () => text, drop: () => void (this.dropped += 1) }))
  }

  async close(): Promise<void> {}
}

describe('the documents of a job that exceed the memory budget', () => {
  const large = 'x'.repeat(100_000)

  it('are written in batches, none of which holds the event loop for long', async () => {
    const storage = new CountingStorage()
    const buffer = new SpillingDocumentBuffer<string>({ maxBytes: 4_000_000, usedBytes: 0 }, storage)
    for (let order = 0; order < 41; order += 1) await buffer.add([{ order, document: large }], large.length)
    expect(storage.batches.length).toBeGreaterThan(3)
    expect(Math.max(...storage.batches)).toBeLessThan(400_000)
    expect(await buffer.readCompleted(0, 100, false)).toHaveLength(41)
  })

  it('count once when the job is forgotten while they are being written', async () => {
    const storage = new CountingStorage()
    const budget = { maxBytes: 150_000, usedBytes: 0 }
    const buffer = new SpillingDocumentBuffer<string>(budget, storage)
    await buffer.add([{ order: 0, document: large }], large.length)
    const writing = buffer.add([{ order: 1, document: large }], large.length)
    while (storage.batches.length === 0) await Promise.resolve()
    await buffer.clear()
    await writing
    expect([budget.usedBytes, storage.dropped]).toEqual([0, storage.batches.length * 2])
  })

  it('keep what was in memory when the budget was exceeded, and of later ones two batches at most', async () => {
    const storage = new CountingStorage()
    const budget = { maxBytes: 4_000_000, usedBytes: 0 }
    const buffer = new SpillingDocumentBuffer<string>(budget, storage)
    const used: number[] = []
    for (let order = 0; order < 100; order += 1) {
      await buffer.add([{ order, document: large }], large.length)
      used.push(budget.usedBytes)
    }
    expect(Math.max(...used.slice(0, 40))).toBe(4_000_000)
    const kept = used[40] ?? 0
    expect(kept).toBeLessThanOrEqual(3_000_000)
    expect(Math.max(...used.slice(41)) - kept).toBeLessThan(2 * BATCH_BYTES)
    expect(await buffer.readCompleted(0, 100, false)).toHaveLength(100)
    await buffer.clear()
    expect(budget.usedBytes).toBe(0)
  })

  it('are dropped from the storage when they are acknowledged', async () => {
    const storage = new CountingStorage()
    const buffer = new SpillingDocumentBuffer<string>({ maxBytes: 150_000, usedBytes: 0 }, storage)
    for (let order = 0; order < 3; order += 1) await buffer.add([{ order, document: large }], large.length)
    for (let sequence = 0; sequence < 3; sequence += 1) buffer.acknowledge(sequence, true)
    expect(storage.dropped).toBe(2)
    expect(await buffer.readCompleted(0, 100, false)).toEqual([])
  })
})
