export { createBrowserFetcher as browser } from './browser.js'
export { createEnhancedHttpFetcher as enhancedHttp } from './enhanced-http.js'
export { createHttpFetcher as http } from './http.js'
