import { userInfo } from 'node:os'
import { chromium } from 'playwright'
import { findBrowser } from '../../src/fetch/browser-process/find-browser.js'
import { endOf, type Part, takeOrders, type Until } from './load-part.js'

/**
 * A bare loop: a page of its own context for each URL, and nothing but its HTML read. The browser is
 * Playwright's own or, where that is not installed, the one that trawl finds; it is started as Playwright starts it.
 */

const concurrency = Number(process.argv[2] ?? 4)
const chromiumSandbox = userInfo().uid !== 0
const browser = await chromium.launch({ chromiumSandbox }).catch(async () => {
  const { executablePath } = await findBrowser({ playwrightPaths: [] })
  return await chromium.launch({ executablePath, chromiumSandbox })
})

async function read(url: string, until: Until): Promise<string> {
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
      if ((await read(url, until)).includes(endOf(url))) whole += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return whole
}

takeOrders(load, () => browser.close())
