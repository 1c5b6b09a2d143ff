import type { EnginePlan } from '../../kernel/plan/plan-engine.js'
import type { MirrorRecord } from './mirror-record.js'
import { memoryRecord } from './records/memory-record.js'
import { storeRecord } from './records/store-record.js'
import { openLedgerFile } from './tables/ledger-file.js'
import { openPostgresDatabase } from './tables/postgres-database.js'
import type { SqlDatabase } from './tables/sql-database.js'
import { sqlRecord } from './tables/sql-record.js'

/** Opens the records of mirrors: in the database of the ledger, otherwise in the store of `snapshots`, otherwise in memory. */
export class OpenRecords {
  readonly #settings: Pick<EnginePlan, 'ledger' | 'snapshots' | 'keepsSnapshots'>
  readonly #inMemory = new Map<string, MirrorRecord>()
  #database: SqlDatabase | undefined

  constructor(settings: Pick<EnginePlan, 'ledger' | 'snapshots' | 'keepsSnapshots'>) {
    this.#settings = settings
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
