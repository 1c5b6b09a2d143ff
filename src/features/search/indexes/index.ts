export { file } from './file.js'
export { temporary } from './temporary.js'
