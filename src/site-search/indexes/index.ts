export { javadoc } from './javadoc.js'
export { json } from './json.js'
export { mdbook } from './mdbook.js'
export { sphinx } from './sphinx.js'
