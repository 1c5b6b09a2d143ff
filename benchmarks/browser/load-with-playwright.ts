import type { Browser } from 'playwright'
import { createBrowserLauncher } from '../../src/fetch/launch-browser.js'
import { endOf, type Part, takeOrders, type Until } from './load-part.js'

/** A bare loop: a page of its own context for each URL, and nothing but its HTML read. The browser is trawl's own. */

const concurrency = Number(process.argv[2] ?? 4)
const launcher = createBrowserLauncher({ maxPages: concurrency, pagesPerBrowser: 100 })
const running = await launcher.launch()

async function read(browser: Browser, url: string, until: Until): Promise<string> {
  const page = await browser.newPage()
  await page.goto(url, { waitUntil: until === 'idle' ? 'networkidle' : 'load' })
  if (until === 'text') await page.waitForSelector('#end', { state: 'attached' })
  const html = await page.content()
  await page.close()
  return html
}

async function load({ urls, until }: Part): Promise<number> {
  const waiting = [...urls]
  let whole = 0
  const work = async (): Promise<void> => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      if ((await read(running.browser, url, until)).includes(endOf(url))) whole += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return whole
}

takeOrders(load, async () => {
  await running.close()
  await launcher.close()
})
