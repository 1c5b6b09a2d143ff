import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, writeReport } from '../../../src/index.js'
import { htmlPage, sendPage } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'
import { findBarriers, openReport, startBrowser } from './open-report.js'
import { documentOf, scrapedRow, storedJob } from './stored-job.js'

let folder: string
let browser: Browser

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-report-'))
  browser = await startBrowser()
}, 60_000)
afterAll(async () => {
  await browser.close()
  await rm(folder, { recursive: true })
})

const SAME =
  '<p>The same words stand here and on another page, so that the crawl takes one for a copy of the other.</p>'

/** Pages of a site with a page of each outcome. */
const PAGES = {
  '/': htmlPage(
    'Start',
    '<nav>Menu with a few entries</nav><p>Read <a href="/guide/one">one</a>, <a href="/guide/two">two</a>, <a href="/gone">what is gone</a>, ' +
      '<a href="/old">what has moved</a>, <a href="/private/a">what is private</a>, <a href="/copy/a">a copy</a> and <a href="/copy/b">another</a>.</p>',
  ),
  '/guide/one': htmlPage(
    'Guide one',
    '<p>This guide leads to <a href="/gone">a page that is gone</a>, as the start does.</p>',
  ),
  '/guide/two': htmlPage('Guide two', '<p>The second guide has words of its own, about another matter.</p>'),
  '/copy/a': htmlPage('Copy', SAME.repeat(5)),
  '/copy/b': htmlPage('Copy', SAME.repeat(5)),
  '/orphan': htmlPage('Orphan', '<p>No page leads here, and only the map of the site has it.</p>'),
  '/gone': (exchange: Parameters<typeof sendPage>[0]) => sendPage(exchange, htmlPage('Gone'), 410),
  '/old': (exchange: Parameters<typeof sendPage>[0]) => sendPage(exchange, '', 301, { location: '/guide/two' }),
}

describe('the report of a crawl', () => {
  let file: string
  let origin: string

  beforeAll(async () => {
    file = join(folder, 'crawl.html')
    await using site = await startSite({
      pages: {
        ...PAGES,
        '/robots.txt': ({ response }) => response.end('User-agent: *\nDisallow: /private/\n'),
        '/sitemap.xml': ({ response }) =>
          response.end(
            `<urlset><url><loc>${origin}/orphan</loc></url><url><loc>${origin}/guide/one</loc></url></urlset>`,
          ),
      },
    })
    origin = site.origin
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http' })
    const formats = ['markdown', 'rawHtml'] as const
    const job = engine.crawl({ url: `${origin}/`, scrapeOptions: { formats, trace: true } })
    await job.finished()
    const written = await writeReport(job, file)
    expect(written).toEqual({ file, parts: [], pages: 9 })
  }, 60_000)

  it('shows outcomes, reasons and figures, without a request or an error', async () => {
    await using report = await openReport(browser, file)
    const text = await report.text()
    expect(text).toMatch(/9 URLs/)
    for (const part of [/ROBOTS_TXT/, /410/, /Pages per second/, /Duration/, /Credits/]) expect(text).toMatch(part)
    expect(await report.page.title()).toContain(origin)
    expect(report.troubles).toEqual([])
  })

  it('counts the warnings of pages by kind, and finds the pages of one', async () => {
    const warned = 'The page has no text.'
    const rows = ['a', 'b', 'c'].map((name, at) =>
      scrapedRow(`https://site.test/${name}`, at < 2 ? { warning: `${warned} Cut to ${at} links.` } : {}),
    )
    const target = join(folder, 'warned.html')
    await writeReport(storedJob(rows, []), target)
    await using report = await openReport(browser, target)
    expect(await report.text()).toMatch(/Warnings of pages\s+The page has no text\.\s+2/)
    await report.page.click('text=Cut to … links.')
    await report.page.waitForSelector('.pages-view')
    expect(await report.page.innerText('.found')).toBe('2 of 3 URLs')
    await report.page.click('.pages tbody a')
    await report.page.waitForSelector('.page-view .settings')
    expect(await report.text()).toContain('Cut to 0 links.')
    await rm(target)
  })

  it('finds pages by words and by filters, with the keyboard alone', async () => {
    await using report = await openReport(browser, file, { hash: '#pages' })
    const { page } = report
    await page.keyboard.press('/')
    await page.keyboard.type('guide ONE')
    expect(await page.innerText('.found')).toBe('1 of 9 URLs')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.page-view .markdown')
    expect(await report.text()).toContain('This guide leads to')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.pages-view')
    expect(await page.inputValue('#search')).toBe('guide ONE')
    await report.show('#pages?reason=ROBOTS_TXT')
    expect(await page.innerText('.pages tbody')).toContain('/private/a')
    expect(report.troubles).toEqual([])
  })

  it('goes where the address leads when it changes before the list is drawn', async () => {
    await using report = await openReport(browser, file)
    const { page } = report
    await page.evaluate('window.drawings = [], window.requestAnimationFrame = (draw) => window.drawings.push(draw)')
    await report.go('#pages?q=guide')
    // The address changes, the frame comes, and the view hears of the change after it.
    await page.evaluate(`(() => {
      location.hash = '#pages?reason=ROBOTS_TXT'
      for (const draw of window.drawings.splice(0)) draw()
    })()`)
    expect(page.url()).toMatch(/#pages\?reason=ROBOTS_TXT$/)
  })

  it('lists broken links and redirects with the pages that lead there, orphans, copies and refusals', async () => {
    await using report = await openReport(browser, file, { hash: '#links' })
    const { page } = report
    const rows = await page.locator('tbody tr').allInnerTexts()
    const host = origin.replace('http://', '')
    expect(rows.find((row) => row.startsWith(`${host}/gone`))).toContain(`${host}/guide/one`)
    expect(rows.find((row) => row.startsWith(`${host}/old`))).toContain(`${origin}/guide/two`)
    await report.show('#orphans')
    expect(await page.locator('tbody tr').allInnerTexts()).toEqual([expect.stringContaining('/orphan')])
    await report.show('#duplicates')
    // Which of them came first depends on the network.
    expect(await report.text()).toMatch(/copy\/a.*\n*.*copy\/b|copy\/b.*\n*.*copy\/a/s)
    await report.show('#robots')
    expect(await report.text()).toContain('/private/a')
    await report.show('#templates')
    expect(await report.text()).toContain(`${host}/guide/one`)
    await report.show('#speed')
    expect(await report.text()).toContain('95 % below')
  })

  it('shows the site as a tree that opens', async () => {
    await using report = await openReport(browser, file, { hash: '#site' })
    const { page } = report
    const toggle = page.getByRole('button', { name: 'guide/' })
    expect(await toggle.getAttribute('aria-expanded')).toBe('false')
    await toggle.press('Enter')
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
    expect(await report.text()).toContain('Guide two')
  })

  it('shows the story of a page, its Markdown, and what was left out of the page', async () => {
    await using report = await openReport(browser, file, { hash: '#page/0' })
    const { page } = report
    const text = await report.text()
    for (const part of [/Decision/, /Attempts/, /http/, /Left out: \d+ block/]) expect(text).toMatch(part)
    expect(await page.innerText('.markdown')).toContain('Read one, two')
    const left = page.locator('.original .dropped').first()
    expect(await left.innerText()).toContain('Menu with a few entries')
    expect(await left.getAttribute('title')).toMatch(/^Left out: ./)
    await page.getByRole('button', { name: 'Show source' }).click()
    expect(await page.innerText('.source')).toContain('# Start')
  })

  it.each([
    ['light', ['#overview', '#pages', '#site', '#links', '#page/0']],
    ['dark', ['#pages?outcome=skipped', '#page/0']],
  ] as const)('has no barrier that axe-core knows of, in %s', async (colorScheme, views) => {
    await using report = await openReport(browser, file, { colorScheme })
    for (const view of views) {
      await report.show(view)
      expect(await findBarriers(report), view).toEqual([])
    }
  })

  it('leaves no other file, and none when writing fails', async () => {
    const broken = storedJob([scrapedRow('https://site.test/')], [])
    broken.urls = () => {
      throw new Error('the ledger is gone')
    }
    await expect(writeReport(broken, join(folder, 'broken.html'))).rejects.toThrow('the ledger is gone')
    expect(await readdir(folder)).toEqual(['crawl.html'])
  })

  it('leaves no file when it is aborted', async () => {
    const abort = new AbortController()
    const job = storedJob([scrapedRow('https://site.test/')], [])
    const aborted = {
      ...job,
      async *urls() {
        yield* job.urls()
        abort.abort(new Error('enough'))
        yield* job.urls()
      },
    }
    const writing = writeReport(aborted, join(folder, 'aborted.html'), { signal: abort.signal })
    await expect(writing).rejects.toThrow('enough')
    expect(await readdir(folder)).toEqual(['crawl.html'])
    const invalid = { signal: 1 as never }
    await expect(writeReport(aborted, join(folder, 'aborted.html'), invalid)).rejects.toThrow('is not an AbortSignal')
  })
})

describe('a report', () => {
  it('draws only the visible rows, and names no headers of the request', async () => {
    const urls = Array.from({ length: 3000 }, (_, index) => `https://site.test/page/${index}`)
    const file = join(folder, 'long.html')
    await writeReport(
      storedJob(
        urls.map((url) => scrapedRow(url)),
        [],
      ),
      file,
    )
    expect(await readFile(file, 'utf8')).not.toContain('secret-token')
    await using report = await openReport(browser, file, { hash: '#pages' })
    const { page } = report
    expect(await page.locator('.pages tbody tr').count()).toBeLessThan(80)
    await page.keyboard.press('End')
    await page.waitForSelector('text=site.test/page/2999')
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.locator('.pages tbody tr').count()).toBeGreaterThanOrEqual(2000)
  })

  it('keeps the contents of more than 20,000 pages in files beside it', async () => {
    const urls = Array.from({ length: 20_010 }, (_, index) => `https://site.test/${index}`)
    const file = join(folder, 'parts.html')
    const job = storedJob(
      urls.map((url) => scrapedRow(url)),
      urls.map((url) => documentOf(url)),
    )
    const { parts, pages } = await writeReport(job, file)
    expect([pages, parts]).toEqual([20_010, [expect.stringMatching(/parts-pages.1-[0-9a-f]{16}\.html$/)]])
    await using report = await openReport(browser, file, { hash: '#page/20005' })
    await report.page.click('.action')
    await report.page.waitForSelector('.markdown')
    expect(await report.text()).toContain('Text of https://site.test/20005')
    await report.page.click('.back')
    await report.page.waitForSelector('.pages-view')
    expect(await report.page.innerText('.found')).toBe('1 of 20,010 URLs')
    const own = ['1.html', '1-0123456789abcdef.html']
    for (const name of own) await writeFile(join(folder, 'parts-pages', name), '')
    await writeReport(documentOf('https://site.test/'), file)
    expect(await readdir(join(folder, 'parts-pages'))).toEqual(own.toSorted())
  })

  it('names pages that come later in the list, and originals by the URL after redirects', async () => {
    const [head, moved] = ['https://site.test/z', 'https://site.test/moved']
    const rows = [
      scrapedRow('https://site.test/a', { duplicateOf: head, foundOn: head }),
      scrapedRow(head),
      scrapedRow('https://site.test/b', { duplicateOf: head }),
      scrapedRow('https://site.test/c', { duplicateOf: moved }),
      scrapedRow(moved, { outcome: 'skipped', duplicateOf: moved }),
      scrapedRow('https://site.test/old', { finalUrl: moved }),
    ]
    const file = join(folder, 'copies.html')
    await writeReport(storedJob(rows, []), file)
    await using report = await openReport(browser, file, { hash: '#duplicates' })
    const heads = report.page.locator('.cluster h3')
    expect(await heads.allInnerTexts()).toEqual(['site.test/z 3 pages', 'site.test/old 3 pages'])
    expect(await heads.locator('a').count()).toBe(2)
    await report.show('#page/0')
    expect(await report.page.locator('a[href="#page/1"]').count()).toBeGreaterThan(0)
  })

  it('says of sitemaps and robots.txt only what is known', async () => {
    const file = join(folder, 'folder.html')
    const rows = [scrapedRow('https://site.test/', { via: 'sitemap' })]
    await writeReport(storedJob(rows, []), file)
    await using old = await openReport(browser, file, { hash: '#orphans' })
    expect(await old.text()).toContain('Ledgers of earlier versions do not record such links')
    await writeReport({ ...storedJob(rows, []), kind: 'pages' }, file)
    await using report = await openReport(browser, file, { hash: '#links' })
    expect(await report.text()).toContain('Pages that failed are not known')
    expect(await report.page.innerText('#views')).not.toMatch(/Sitemap|Robots/)
  })

  it('reads the text of each element once for all blocks of a selector', async () => {
    const file = join(folder, 'blocks.html')
    const trace = Array.from({ length: 200 }, () => ({ selector: 'div', characters: 4, text: 'Text', reason: 'menu' }))
    const rawHtml = `${'<div>'.repeat(50)}Text${'</div>'.repeat(50)}`
    await writeReport(
      storedJob([scrapedRow('https://site.test/')], [documentOf('https://site.test/', { rawHtml, trace })]),
      file,
    )
    await using report = await openReport(browser, file)
    await report.page.evaluate(`(() => {
      const { get, ...others } = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')
      window.reads = 0
      Object.defineProperty(Node.prototype, 'textContent', { ...others, get() { window.reads += 1; return get.call(this) } })
    })()`)
    await report.show('#page/0')
    expect(await report.page.locator('.original .dropped').count()).toBe(1)
    expect(await report.page.evaluate('window.reads')).toBeLessThan(100)
  })

  it('shows one document', async () => {
    const file = join(folder, 'page.html')
    const written = await writeReport(documentOf('https://site.test/a', { rawHtml: '<p>Original text</p>' }), file)
    expect(written).toEqual({ file, parts: [], pages: 1 })
    await using report = await openReport(browser, file)
    expect(await report.text()).toMatch(/Original text.*Text of https:\/\/site\.test\/a/s)
    expect(await report.page.isVisible('nav')).toBe(false)
  })

  it('refuses what is neither a job nor a document, and a path that is none', async () => {
    await expect(writeReport({} as never, 'a.html')).rejects.toThrow('is not a job or a document')
    await expect(writeReport(documentOf('https://site.test/'), '')).rejects.toThrow('is not the path of a file')
  })
})
