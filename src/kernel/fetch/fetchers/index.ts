export { browser } from '../../../features/browser/browser-fetcher.js'
export { enhancedHttp } from './enhanced-http.js'
export { http } from './http.js'
