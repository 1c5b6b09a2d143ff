import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll } from 'vitest'
import { findBrowser } from '../../../src/features/browser/process/find-browser.js'

/** Starts the browser that trawl finds. */
export async function startBrowser(): Promise<Browser> {
  const { executablePath } = await findBrowser({ playwrightPaths: [chromium.executablePath()] })
  return chromium.launch({ executablePath, chromiumSandbox: false })
}

/** Gives the tests of a file a browser and a folder for reports, which go with them. */
export function useReports(): { readonly browser: Browser; readonly folder: string } {
  const given = {} as { browser: Browser; folder: string }
  beforeAll(async () => {
    given.browser = await startBrowser()
    given.folder = await mkdtemp(join(tmpdir(), 'trawl-report-'))
  })
  afterAll(async () => {
    await given.browser.close()
    await rm(given.folder, { recursive: true })
  })
  return given
}

/** A report in a page of the browser. */
export interface OpenReport extends AsyncDisposable {
  readonly page: Page
  /** Requests other than for the file itself, messages of the console, and errors. */
  readonly troubles: readonly string[]
  /** Goes to a view, which is drawn in the next frame. */
  go(hash: string): Promise<void>
  /** Shows a view: `#pages`. */
  show(hash: string): Promise<void>
  /** Returns the text of the view. */
  text(): Promise<string>
}

/** Opens a report as a reader does: as a file. */
export async function openReport(
  browser: Browser,
  file: string,
  options: { hash?: string; colorScheme?: 'light' | 'dark'; width?: number } = {},
): Promise<OpenReport> {
  const { hash = '', colorScheme = 'light', width = 1280 } = options
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } })
  const troubles: string[] = []
  page.on('console', (message) => troubles.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  const url = pathToFileURL(file).href
  page.on('request', (request) => {
    if (request.url().split('#', 1)[0] !== url) troubles.push(`request: ${request.url()}`)
  })
  const settle = async (): Promise<void> => {
    await page.waitForSelector('main > *')
    // Rows are drawn in the next frame, and contents when they are decompressed.
    await page.waitForFunction(`document.querySelector('.story')?.textContent !== '…'`)
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  }
  await page.goto(url + hash)
  await settle()
  return {
    page,
    troubles,
    go: (next) => page.evaluate<void>(goTo(next)),
    async show(next) {
      await page.evaluate(goTo(next))
      await settle()
    },
    text: () => page.innerText('main'),
    [Symbol.asyncDispose]: () => page.close(),
  }
}

/** Writes the script of a page that goes to another place in it, and waits until its views know. */
const goTo = (hash: string): string => `new Promise((resolve) => {
  const hash = ${JSON.stringify(hash)}
  if (location.hash === hash) return resolve()
  addEventListener('hashchange', () => resolve(), { once: true })
  location.hash = hash
})`

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Lists the faults that axe-core finds in a page, each with the elements. */
export async function findBarriers({ page }: OpenReport): Promise<readonly string[]> {
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
  }[]
}
