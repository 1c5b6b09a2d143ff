export { form } from './form.js'
export { jsonLd } from './json-ld.js'
export { opensearch } from './opensearch.js'
