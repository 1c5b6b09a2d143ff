import type { EnginePlan } from '../../kernel/plan/plan-engine.js'
import type { MirrorEntry, MirrorHead, MirrorRecord } from './mirror-record.js'
import { storeRecord } from './records/store-record.js'
import { openPostgresDatabase } from './tables/postgres-database.js'
import type { SqlDatabase } from './tables/sql-database.js'
import { sqlRecord } from './tables/sql-record.js'
import { openLedgerFile } from './tables/sqlite-database.js'

/** Opens the records of mirrors: in the database of the ledger, otherwise in the store of `snapshots`, otherwise in memory. */
export class OpenRecords {
  readonly #settings: Pick<EnginePlan, 'ledger' | 'snapshots' | 'keepsSnapshots'>
  readonly #inMemory = new Map<string, MirrorRecord>()
  #database: SqlDatabase | undefined

  constructor(settings: Pick<EnginePlan, 'ledger' | 'snapshots' | 'keepsSnapshots'>) {
    this.#settings = settings
  }

  /** True if what it opens ends with the engine. */
  get isInMemory(): boolean {
    const { ledger, keepsSnapshots } = this.#settings
    return !ledger.file && !ledger.connect && !keepsSnapshots
  }

  async open(name: string): Promise<MirrorRecord> {
    const { ledger, snapshots, keepsSnapshots } = this.#settings
    const { file, connect } = ledger
    if (file) this.#database ??= openLedgerFile(file)
    else if (connect) this.#database ??= openPostgresDatabase(connect, [])
    if (this.#database) return sqlRecord(this.#database, name)
    if (keepsSnapshots) return storeRecord(snapshots, name)
    const known = this.#inMemory.get(name) ?? memoryRecord()
    this.#inMemory.set(name, known)
    return known
  }

  async close(): Promise<void> {
    this.#inMemory.clear()
    await this.#database?.close()
    this.#database = undefined
  }
}

/** Keeps the record of a mirror in memory, for an engine that keeps nothing else. */
export function memoryRecord(): MirrorRecord {
  const entries = new Map<string, MirrorEntry>()
  let head: MirrorHead | undefined
  return {
    load: async () => ({ head, entries: [...entries.values()] }),
    async save({ put = [], remove = [] }) {
      for (const key of remove) entries.delete(key)
      for (const entry of put) entries.set(entry.key, entry)
    },
    async saveHead(saved) {
      head = saved
    },
  }
}
