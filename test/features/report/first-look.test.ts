import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEngine, writeReport } from '../../../src/index.js'
import { htmlPage } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'
import { openReport, useReports } from './open-report.js'

const on = useReports()

const CODE = `https://play.test/?code=${'fn%20main()%7B%7D'.repeat(60)}`
const PARAGRAPH = '<p>What the page has to say in some words, which are enough for a paragraph of its own.</p>'
const FOOTER = '<p class="agree">By reading on you agree to the terms that stand on every page of this site.</p>'
const article = (name: string): string => htmlPage(name, `<p>${`Words about ${name} alone. `.repeat(20)}</p>${FOOTER}`)

/** Pages of a site that leads to many other hosts, has one page of scripts, and a block that repeats. */
const PAGES: Record<string, string> = {
  '/': htmlPage(
    'Start',
    `${PARAGRAPH}${Array.from({ length: 12 }, (_, at) => `<a href="/docs/${at}">page ${at}</a> <a href="https://h${at}.test/">away</a> `).join('')}
     <a href="/app">app</a> <a href="${CODE}1">code</a> <a href="${CODE}2">code</a>`,
  ),
  '/app': '<title>App</title><div id="root">Loading…</div><script src="app.js"></script>',
  ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`/docs/${at}`, article(`page ${at}`)])),
}

/** Works without the feature as well. */
const learning: object = { learnBoilerplate: true }

describe('the first look at a report', () => {
  it('shows the own host first and open, folds others, cuts long URLs, and finds pages by their warnings', async () => {
    await using site = await startSite({ pages: PAGES })
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http' })
    const job = engine.crawl({ url: site.url('/'), ...learning })
    await job.finished()
    const file = join(on.folder, 'crawl.html')
    await writeReport(job, file)
    await using report = await openReport(on.browser, file, { hash: '#site' })
    const { page } = report
    const host = new URL(site.url('/')).host
    expect(await page.locator('.tree > li').first().innerText()).toContain(host)
    expect(await page.getByRole('button', { name: host }).getAttribute('aria-expanded')).toBe('true')
    expect(await page.innerText('main')).not.toContain('h3.test')
    await page.getByText('Other hosts, of which nothing was scraped: 13').click()
    await page.waitForSelector('.folded .tree')
    expect(await page.innerText('main')).toContain('h3.test')

    await report.show('#templates')
    expect(await page.locator('tbody tr code').allInnerTexts()).not.toContainEqual(expect.stringContaining('.test'))
    await page.getByText(/Templates of other hosts/).click()
    await page.waitForSelector('.folded tbody tr')
    const heights = await page.evaluate<number[]>(
      `Array.from(document.querySelectorAll('.page-link'), (link) => link.getBoundingClientRect().height)`,
    )
    // Two lines of 21 pixels.
    expect(Math.max(...heights)).toBeLessThanOrEqual(43)

    await report.show('#pages')
    await page.waitForSelector('.pages tbody a')
    const table = await page.innerText('.pages tbody')
    expect(table.indexOf('.test')).toBeGreaterThan(table.lastIndexOf(host))

    await report.show('#overview')
    const legend = page.locator('.legend')
    expect(await legend.innerText()).toMatch(/14\s+Scraped\s+100 %/)
    await page.getByRole('link', { name: '14 URLs' }).click()
    await page.waitForSelector('.pages-view')
    expect(await page.innerText('.found')).toBe('14 of 28 URLs')
    expect(await page.innerText('.pages tbody')).not.toContain(host)

    await report.show('#overview')
    // Of pages, not of warnings.
    expect(await page.locator('.counts li', { hasText: 'only a placeholder' }).innerText()).toContain('7 %')
    const kind = page.getByRole('link', { name: /only a placeholder/ })
    await kind.click()
    await page.waitForSelector('.pages-view')
    expect(await page.innerText('.found')).toBe('1 of 28 URLs')
    expect(await page.innerText('.marks')).toContain('Warning: ')
    expect(await page.innerText('.pages tbody')).toContain('/app')

    await report.show('#boilerplate')
    expect(await page.locator('tbody tr').first().innerText()).toMatch(
      /^By reading on you agree .*\n+.*p\.agree \(\d+ characters\)/,
    )
    expect(report.troubles).toEqual([])
  }, 60_000)

  it.each([1280, 390])(
    'of one page begins with what was kept, %i pixels wide',
    async (width) => {
      const menu = `<nav><ul>${'<li><a href="/x">An entry of the menu</a></li>'.repeat(120)}</ul></nav>`
      await using site = await startSite({
        pages: { '/': `<title>One</title>${menu}<main><h1>The heading</h1>${PARAGRAPH.repeat(40)}</main>` },
      })
      await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http' })
      const document = await engine.scrape(site.url('/'), { formats: ['markdown', 'rawHtml'], trace: true })
      const file = join(on.folder, `one-${width}.html`)
      await writeReport(document, file)
      await using report = await openReport(on.browser, file, { width })
      const { page } = report
      const topOf = async (selector: string): Promise<number> =>
        page.evaluate<number>(`document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().top`)
      expect(await topOf('.markdown .h1')).toBeLessThan(400)
      expect(await page.innerText('main')).not.toContain('Decision')
      const [heading, pane] = [await topOf('.original .o-h1'), await topOf('.original')]
      expect(pane).toBeLessThan(heading)
      // In the other pane, the first text that is kept is in sight as well.
      expect(heading - (await topOf('.pane-body:has(.original)'))).toBeLessThan(60)
    },
    60_000,
  )
})
