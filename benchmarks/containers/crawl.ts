import { createEngine } from 'trawl'
import type { ContainerCrawl } from './run.js'

const [, , start = '', pages] = process.argv
await using engine = createEngine({ allowPrivateNetworks: true })
const job = engine.crawl({ url: start, limit: Number(pages), crawlEntireDomain: true, sitemap: 'skip' })
let [count, warned] = [0, 0]
for await (const { warning } of job) {
  count += 1
  if (warning !== undefined) warned += 1
}
const residentMib = Math.round(process.resourceUsage().maxRSS / 1024)
console.log(JSON.stringify({ pages: count, warned, residentMib } satisfies ContainerCrawl))
