export { memoryLedger } from './memory.js'
export { postgres } from '../../../features/machines/postgres-ledger.js'
export { sqlite } from './sqlite.js'
