export { memoryLedger } from './memory.js'
