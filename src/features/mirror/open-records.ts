import type { EnginePlan } from '../../kernel/plan/plan-engine.js'
import type { MirrorRecord } from './mirror-record.js'
import { memoryRecord } from './records/memory-record.js'
import { MIRROR_TABLES, sqliteRecord } from './records/sqlite-record.js'
import { storeRecord } from './records/store-record.js'

/** Opens the records of mirrors: in the database of the ledger, otherwise in the store of `snapshots`, otherwise in memory. */
export class OpenRecords {
  readonly #settings: Pick<EnginePlan, 'ledger' | 'snapshots' | 'keepsSnapshots'>
  readonly #inMemory = new Map<string, MirrorRecord>()
  #hasTables = false

  constructor(settings: Pick<EnginePlan, 'ledger' | 'snapshots' | 'keepsSnapshots'>) {
    this.#settings = settings
  }

  async open(name: string): Promise<MirrorRecord> {
    const { ledger, snapshots, keepsSnapshots } = this.#settings
    const { file } = ledger
    if (file) {
      if (!this.#hasTables) file.addTables(MIRROR_TABLES)
      this.#hasTables = true
      return sqliteRecord(file, name)
    }
    if (keepsSnapshots === true) return storeRecord(snapshots, name)
    const known = this.#inMemory.get(name) ?? memoryRecord()
    this.#inMemory.set(name, known)
    return known
  }

  async close(): Promise<void> {
    this.#inMemory.clear()
  }
}
