export { memoryLedger } from './memory.js'
export { sqlite } from './sqlite.js'
