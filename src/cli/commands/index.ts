export { scrapeCommand } from './scrape.js'
export { batchCommand } from './batch.js'
export { crawlCommand } from './crawl.js'
export { jobsCommand } from './jobs.js'
