export { memoryLedger } from './memory.js'
export { postgres } from './postgres.js'
export { sqlite } from './sqlite.js'
