import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeReport } from '../../../src/index.js'
import { openReport, useReports } from './open-report.js'
import { scrapedRow, storedJob } from './stored-job.js'

describe('a report on paper', () => {
  const reports = useReports()

  it('has the first 2,000 rows, and no empty sheets for the others', async () => {
    const file = join(reports.folder, 'long.html')
    const rows = Array.from({ length: 12_000 }, (_, index) => scrapedRow(`https://site.test/${index}`))
    await writeReport(storedJob(rows, []), file)
    await using report = await openReport(reports.browser, file, { hash: '#pages' })
    const count = async (): Promise<number> => await report.page.locator('[data-index]').count()
    const before = await count()
    // Chromium lays out the paper after this event, and before the one of the media query.
    await report.page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    expect(await count()).toBe(2000)
    const height = await report.page.evaluate<number>(`document.querySelector('.pages tbody').offsetHeight`)
    expect(height).toBeLessThan(2010 * 48)
    await report.page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    expect(await count()).toBe(before)
    await report.page.emulateMedia({ media: 'print' })
    await report.page.waitForSelector('td.rest')
    expect(await report.page.innerText('td.rest')).toContain('10,000 further rows')
    expect(await count()).toBe(2000)
    await report.page.emulateMedia({ media: 'screen' })
    await report.page.waitForSelector('td.rest', { state: 'detached' })
    expect(await count()).toBe(before)
  }, 60_000)

  it('is dark on light, also when the reader has chosen the dark theme', async () => {
    const file = join(reports.folder, 'dark.html')
    await writeReport(storedJob([scrapedRow('https://site.test/')], []), file)
    await using report = await openReport(reports.browser, file)
    await report.page.click('#theme')
    await report.page.click('#theme')
    expect(await report.page.innerText('#theme')).toBe('Theme: dark')
    await report.page.emulateMedia({ media: 'print' })
    const colors = await report.page.evaluate<readonly string[]>(
      '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]',
    )
    expect(colors).toEqual(['rgb(27, 31, 36)', 'rgb(255, 255, 255)'])
  })
})
