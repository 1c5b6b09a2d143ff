export { enhancedHttp } from './enhanced-http.js'
export { http } from './http.js'
