import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright'
import { findBrowser } from '../../src/features/browser/process/find-browser.js'
import { median } from '../speed/print-table.js'

/** Times of a report in a browser: medians of rounds. */
export interface BrowserTimes {
  readonly firstPaintMs: number
  /** Time until the overview is drawn, and its links work. */
  readonly drawnMs: number
  /** Time until the whole file is read. */
  readonly readMs: number
  /** Resident memory of the page's process, after all views were used. */
  readonly memoryBytes: number
  /** Time of the slowest filter, until the table is laid out. */
  readonly filterMs: number
  /** Time until the content of a page is shown. */
  readonly storyMs: number
  /** Share of frames that took more than 50 ms while the list of all pages was scrolled. Percent. */
  readonly longFrames: number
}

/** Opens a report in new browsers, and uses it. */
export async function measureInBrowser(file: string, rounds: number): Promise<BrowserTimes> {
  const { executablePath } = await findBrowser({ playwrightPaths: [chromium.executablePath()] })
  const measured: BrowserTimes[] = []
  for (let round = 0; round < rounds; round += 1) {
    const browser = await chromium.launch({ executablePath, chromiumSandbox: false })
    try {
      measured.push(await measureOnce(browser, pathToFileURL(file).href))
    } finally {
      await browser.close()
    }
  }
  const middle = (read: (times: BrowserTimes) => number): number => median(measured.map(read))
  return {
    firstPaintMs: middle(({ firstPaintMs }) => firstPaintMs),
    drawnMs: middle(({ drawnMs }) => drawnMs),
    readMs: middle(({ readMs }) => readMs),
    memoryBytes: middle(({ memoryBytes }) => memoryBytes),
    filterMs: middle(({ filterMs }) => filterMs),
    storyMs: middle(({ storyMs }) => storyMs),
    longFrames: middle(({ longFrames }) => longFrames),
  }
}

async function measureOnce(browser: Browser, url: string): Promise<BrowserTimes> {
  const page = await browser.newPage()
  const troubles: string[] = []
  page.on('console', (message) => troubles.push(message.text()))
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('request', (request) => {
    if (request.url() !== url) troubles.push(`request of ${request.url()}`)
  })
  await page.addInitScript(NOTE_DRAWN)
  await page.goto(url, { waitUntil: 'load' })
  const opened = await page.evaluate<Pick<BrowserTimes, 'firstPaintMs' | 'drawnMs' | 'readMs'>>(READ_TIMES)
  await page.click('nav a[href="#pages"]')
  await page.waitForSelector('.pages tbody tr a')
  const filterMs = await page.evaluate<number>(MEASURE_FILTERS)
  const longFrames = await page.evaluate<number>(MEASURE_SCROLLING)
  const storyMs = await measureStory(page)
  for (const view of ['site', 'templates', 'speed', 'links']) await page.click(`nav a[href="#${view}"]`)
  const memoryBytes = await readMemory(browser)
  if (troubles.length > 0) throw new Error(`the report is not quiet: ${troubles.join(', ')}`)
  return { ...opened, filterMs, longFrames, storyMs, memoryBytes }
}

async function measureStory(page: Page): Promise<number> {
  const before = performance.now()
  await page.evaluate(`location.hash = '#page/100'`)
  await page.waitForSelector('.markdown')
  return performance.now() - before
}

/** Reads the memory of the process that draws the page. Bytes. */
async function readMemory(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) * 1024)
  return Math.max(...sizes)
}

const NOTE_DRAWN = `new MutationObserver((_, observer) => {
  if (!document.querySelector('.overview')) return
  window.drawnMs = performance.now()
  observer.disconnect()
}).observe(document, { childList: true, subtree: true })`

const READ_TIMES = `({
  firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now(),
  drawnMs: window.drawnMs,
  readMs: performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd,
})`

const MEASURE_FILTERS = `(() => {
  const search = document.querySelector('#search')
  let most = 0
  for (const words of ['a', 'article', 'article 9', 'section-1 article', 'nothing has this', '']) {
    const before = performance.now()
    search.value = words
    search.dispatchEvent(new Event('input'))
    document.body.getBoundingClientRect()
    most = Math.max(most, performance.now() - before)
  }
  for (const button of document.querySelectorAll('.toggles button, .sort')) {
    const before = performance.now()
    button.click()
    document.body.getBoundingClientRect()
    most = Math.max(most, performance.now() - before)
    if (button.matches('.toggles button')) button.click()
  }
  return most
})()`

const MEASURE_SCROLLING = `new Promise((resolve) => {
  const frames = []
  let last = performance.now()
  const step = (now) => {
    frames.push(now - last)
    last = now
    window.scrollBy(0, 1400)
    if (frames.length < 120) requestAnimationFrame(step)
    else resolve((frames.filter((ms) => ms > 50).length / frames.length) * 100)
  }
  requestAnimationFrame(step)
})`
