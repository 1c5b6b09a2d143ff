import { userInfo } from 'node:os'
import { chromium } from 'playwright'
import { findBrowser } from '../../src/features/browser/process/find-browser.js'
import { endOf, type Part, answerParts, type Until } from './load-part.js'

/**
 * Loads parts with a plain Playwright loop: each URL in a page with its own context, of which only the HTML is read.
 * The browser is Playwright's own or, if that is not installed, the one that trawl finds, started with Playwright's
 * defaults.
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

answerParts(load, () => browser.close())
