import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Ledger } from '../../../src/kernel/ledger/ledger.js'
import { memoryLedger } from '../../../src/kernel/ledger/ledgers/index.js'
import { ledgerContract } from '../../contracts/ledger.contract.js'
import { ledgerCountersContract } from '../../contracts/ledger-counters.contract.js'
import { ledgerDocumentsContract } from '../../contracts/ledger-documents.contract.js'
import { ledgerLimitsContract } from '../../contracts/ledger-limits.contract.js'
import { ledgerReportsContract } from '../../contracts/ledger-reports.contract.js'
import { at, candidate, end } from '../../contracts/ledger-rows.js'

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

  it.skipIf(process.platform !== 'linux')(
    'holds files only while documents are in them, also if nobody closes it',
    async () => {
      const own = await mkdtemp(join(folder, 'own-'))
      onTestFinished(() => rm(own, { recursive: true }))
      const spillingHere = () => memoryLedger({ spillTo: own, maxBytes: 15 })
      const files = async (): Promise<number> => {
        const targets = await Promise.all(
          (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
        )
        return targets.filter((target) => target.startsWith(own)).length
      }
      const warnings: Error[] = []
      const note = (warning: Error): void => void warnings.push(warning)
      process.on('warning', note)
      onTestFinished(() => void process.off('warning', note))
      const fill = async (store: Ledger): Promise<void> => {
        for (const job of ['one', 'two']) {
          const ledger = await store.open<string>(job, { limit: Infinity, holdLevelMs: 0 })
          await ledger.admit([candidate('k')], 0)
          await ledger.lease(at(0))
          await ledger.end('k', { outcome: 'done', documents: ['a text'], bytes: 100 }, end)
        }
      }
      const kept = spillingHere()
      await fill(kept)
      expect(await files()).toBe(1)
      kept.forget('one')
      expect(await files()).toBe(1)
      kept.forget('two')
      await expect.poll(files).toBe(0)
      await fill(spillingHere())
      expect(await files()).toBe(1)
      setFlagsFromString('--expose-gc')
      const collect = runInNewContext('gc') as () => void
      const left = async (): Promise<number> => {
        collect()
        return files()
      }
      await expect.poll(left).toBe(0)
      expect(warnings).toEqual([])
    },
  )

  it('frees the documents of a job that is forgotten', async () => {
    const store = spilling()
    await store.open('job', { limit: 1, holdLevelMs: 0 })
    store.forget('job')
    store.forget('another')
    await store.close()
  })
})
