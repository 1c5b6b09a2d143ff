import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'
import type { JobStore } from '../../src/ledger/job-store.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { sqlite } from '../../src/ledger/ledgers/index.js'

/** Creates a folder for the files of a test file, and closes its ledgers after each test. */
export const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

let files = 0
export const newFile = (): string => join(folder, `${files++}.db`)

let opened: Ledger[] = []
afterEach(async () => {
  await Promise.all(opened.map((ledger) => ledger.close()))
  opened = []
})

/** A ledger of a file, with its job store. */
export function openSqlite(file = newFile()): Ledger & { jobStore: JobStore } {
  const ledger = sqlite(file)
  opened.push(ledger)
  const { jobStore } = ledger
  if (!jobStore) throw new Error('it has no jobStore')
  return { ...ledger, jobStore }
}
