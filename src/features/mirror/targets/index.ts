export { mirrorTo } from './folder.js'
export { mirrorWith } from './function.js'
