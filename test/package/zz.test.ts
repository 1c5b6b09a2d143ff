import { afterAll, beforeAll, it } from 'vitest'
import { type LanguageServer, startLanguageServer } from '/tmp/wt/use52a/test/package/language-server.js'
let server: LanguageServer
beforeAll(async () => { server = await startLanguageServer("import { createEngine, type FormatItem, type ScrapeOptions } from 'trawl'\nconst engine = createEngine()"); await server.check('') }, 120_000)
afterAll(() => server[Symbol.asyncDispose]())
it('x', async () => {
 for (const c of ["engine.scrape('', { formats: [{ type: 'screenshot', fullpage: true }] })","engine.crawl({ url: '', scrapeOptions: { formats: ['html', { type: 'list', al: true }] } })","engine.scrape('', { formats: ['markdwon'] })","engine.batchScrape({ urls: [], formats: ['markdwon'] })","engine.scrape('', { formats: [{ typ: 'list' }] })","engine.scrape('', { formats: [{ type: 'lsit' }] })","engine.scrape('', { format: ['html'] })","engine.scrape('', { formats: 'html' })","engine.scrape('', { formats: [{ type: 'json', shema: {} }] })", "engine.crawl({ url: '', scrapeOptions: { format: ['html'] } })"]) {
  const m = await server.check(c)
  console.log(c, m.length, m.map(x=>x.length).join(), '\n   ', m.join('\n   ').slice(0,1500))
 }
}, 120000)
