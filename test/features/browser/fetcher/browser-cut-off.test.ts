import { expect, it } from 'vitest'
import { startSite } from '../../../site/site.js'
import { openBrowser } from '../open-browser.js'

it.each([
  ['/truncated', 'SCRAPE_SITE_ERROR'],
  ['/truncated-chunked', 'SCRAPE_SITE_ERROR'],
  ['/false-coding?coding=gzip', 'SCRAPE_ENCODING_ERROR'],
])('a browser fails a document that was not received to its end, as HTTP does: %s', async (path, code) => {
  await using site = await startSite()
  await using browser = openBrowser()
  await expect(browser.get(site.url(path))).rejects.toMatchObject({ code, url: site.url(path) })
  expect(site.requests).toHaveLength(1)
})

it('a browser returns a document that its own script has stopped', async () => {
  const page = `<p>Start</p><script>window.stop()</script>${'<p>More</p>'.repeat(20_000)}`
  await using site = await startSite({ pages: { '/': page } })
  await using browser = openBrowser()
  expect(new TextDecoder().decode((await browser.get(site.url('/'))).body)).toContain('Start')
})
