export { memoryCache } from './memory.js'
