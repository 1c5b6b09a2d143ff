export { fileCache } from './file.js'
export { keyvCache } from './keyv.js'
export { memoryCache } from './memory.js'
