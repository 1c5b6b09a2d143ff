import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryLedger } from '../../src/ledger/ledgers/index.js'
import { ledgerContract } from '../contracts/ledger.contract.js'
import { ledgerCountersContract } from '../contracts/ledger-counters.contract.js'
import { ledgerDocumentsContract } from '../contracts/ledger-documents.contract.js'
import { ledgerLimitsContract } from '../contracts/ledger-limits.contract.js'
import { ledgerReportsContract } from '../contracts/ledger-reports.contract.js'
import { at, candidate, end } from '../contracts/ledger-rows.js'

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

describe('the memory ledger', () => {
  ledgerContract(memoryLedger)
  ledgerCountersContract(memoryLedger)
  ledgerDocumentsContract(memoryLedger)
  ledgerLimitsContract(memoryLedger)
  ledgerReportsContract(memoryLedger)
})

const compressing = () => memoryLedger({ maxBytes: 15 })

describe('the memory ledger that compresses all documents', () => {
  ledgerContract(compressing)
  ledgerDocumentsContract(compressing)
  ledgerReportsContract(compressing)
})

const spilling = () => memoryLedger({ spillTo: folder, maxBytes: 15 })

describe('the memory ledger with a temporary file', () => {
  ledgerContract(spilling)
  ledgerDocumentsContract(spilling)
  ledgerReportsContract(spilling)

  it('reads documents back from its temporary file, and leaves no file behind', async () => {
    const store = spilling()
    const ledger = await store.open<{ text: string }>('job', { limit: Infinity, holdLevelMs: 0 })
    const texts = Array.from({ length: 50 }, (_, n) => `${n} äöü ☃ `.repeat(n))
    await ledger.admit(
      texts.map((_, n) => candidate(`k${n}`)),
      0,
    )
    for (const _ of texts) await ledger.lease(at(0))
    await Promise.all(
      texts.map((text, n) => ledger.end(`k${n}`, { outcome: 'done', documents: [{ text }], bytes: 10 }, end)),
    )
    const found = await ledger.documents({ skip: 0, limit: 99 })
    expect(found.map(({ document }) => document.text)).toEqual(texts)
    expect(await readdir(folder)).toEqual([])
    await store.close()
    await expect(ledger.documents({ skip: 0, limit: 99 })).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
  })

  it('frees the documents of a job that is forgotten', async () => {
    const store = spilling()
    await store.open('job', { limit: 1, holdLevelMs: 0 })
    store.forget('job')
    store.forget('another')
    await store.close()
  })
})
