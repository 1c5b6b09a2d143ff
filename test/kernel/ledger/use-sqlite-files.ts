import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'
import type { JobStore } from '../../../src/kernel/ledger/job-store.js'
import type { Ledger } from '../../../src/kernel/ledger/ledger.js'
import { sqlite } from '../../../src/kernel/ledger/ledgers/index.js'

export interface SqliteFiles {
  readonly folder: string
  newFile(): string
  /** A ledger of a file, with its job store. */
  openSqlite(file?: string): Ledger & { jobStore: JobStore }
}

/** Creates a folder for the files of a test file, and closes its ledgers after each test. */
export function useSqliteFiles(): SqliteFiles {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-test-'))
  afterAll(() => rm(folder, { recursive: true }))

  let opened: Ledger[] = []
  afterEach(async () => {
    await Promise.all(opened.map((ledger) => ledger.close()))
    opened = []
  })

  let files = 0
  const newFile = (): string => join(folder, `${files++}.db`)
  return {
    folder,
    newFile,
    openSqlite(file = newFile()) {
      const ledger = sqlite(file)
      opened.push(ledger)
      const { jobStore } = ledger
      if (!jobStore) throw new Error('it has no jobStore')
      return { ...ledger, jobStore }
    },
  }
}
