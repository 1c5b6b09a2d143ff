export { fileStore } from './file.js'
export { keyvStore } from './keyv.js'
export { memoryStore } from './memory.js'
export { postgresStore } from './postgres.js'
