import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeReport } from '../../../src/index.js'
import { isQuickToRender } from '../../../src/features/report-view/quick-markdown.js'
import { openReport, useReports } from './open-report.js'
import { documentOf, scrapedRow, storedJob } from './stored-job.js'

/** Turns the text after it around. */
const OVERRIDE = '\u202E'

describe('texts of pages in a report', () => {
  const reports = useReports()

  it('are found as they are shown, and show no character that is unseen in a URL', async () => {
    const file = join(reports.folder, 'urls.html')
    const urls = [
      `https://site.test/${encodeURIComponent(`${OVERRIDE}gpj.exe`)}`,
      'https://site.test/stra%C3%9Fe/%D8%B5%D9%81%D8%AD%D8%A9',
      'https://site.test/cafe%CC%81',
      'https://site.test/a%20b%2Fc%00',
    ]
    await writeReport(
      storedJob(
        urls.map((url) => scrapedRow(url)),
        [],
      ),
      file,
    )
    await using report = await openReport(reports.browser, file, { hash: '#pages' })
    const shown = await report.text()
    expect(shown).toContain('site.test/%E2%80%AEgpj.exe')
    expect(shown).toContain('site.test/straße/صفحة')
    expect(shown).toContain('site.test/a%20b%2Fc%00')
    for (const query of ['Straße', 'صفحة', 'café', 'stra%c3']) {
      await report.page.fill('#search', query)
      expect(await report.page.innerText('.found'), query).toBe('1 of 4 URLs')
    }
    await report.show('#site')
    expect(await report.text()).not.toContain(OVERRIDE)
    expect(report.troubles).toEqual([])
  })

  it('do not turn the words beside them around', async () => {
    const file = join(reports.folder, 'anchor.html')
    const row = scrapedRow('https://site.test/a', { foundOn: 'https://site.test/', anchor: `photo ${OVERRIDE}gpj.exe` })
    await writeReport(storedJob([scrapedRow('https://site.test/', { via: 'seed', depth: 0 }), row], []), file)
    await using report = await openReport(reports.browser, file, { hash: '#page/1' })
    // Where the last characters stand: a word that is turned stands left of what is before it.
    const places = await report.page.evaluate<readonly number[]>(`(() => {
      const value = [...document.querySelectorAll('dd')].find((each) => each.textContent.includes('photo'))
      const last = value.lastChild
      const range = document.createRange()
      return [0, last.data.length - 1].map((at) => {
        range.setStart(last, at)
        range.setEnd(last, at + 1)
        return range.getBoundingClientRect().left
      })
    })()`)
    expect(places[1]).toBeGreaterThan(places[0] ?? Infinity)
  })

  it('are shown as source where rendering them would take minutes', async () => {
    const file = join(reports.folder, 'markdown.html')
    const texts = [
      '*a**b'.repeat(40_000),
      '> '.repeat(90_000),
      `# Title\n\n${'- [a](https://site.test/b) *c*\n'.repeat(3000)}`,
    ]
    const urls = texts.map((_, index) => `https://site.test/${index}`)
    await writeReport(
      storedJob(
        urls.map((url) => scrapedRow(url)),
        urls.map((url, index) => documentOf(url, { markdown: texts[index] ?? '' })),
      ),
      file,
    )
    await using report = await openReport(reports.browser, file, { hash: '#page/0' })
    expect(await report.page.locator('pre.source').count()).toBe(1)
    await report.show('#page/1')
    expect(await report.page.locator('pre.source').count()).toBe(1)
    await report.show('#page/2')
    expect(await report.page.locator('.markdown li').count()).toBe(3000)
    expect(report.troubles).toEqual([])
  }, 60_000)
})

it('Markdown of pages with thousands of links, rows and quotes is rendered', () => {
  const rows = `| a | b |\n| --- | --- |\n${'| [a](https://site.test/b) | **c** |\n'.repeat(3000)}`
  const paragraphs = '[a](https://site.test/b) and *emphasis*\n\n'.repeat(3000)
  const quotes = '> > quoted *text*\n\n'.repeat(3000)
  for (const markdown of [rows, paragraphs, quotes]) expect(isQuickToRender(markdown)).toBe(true)
})
