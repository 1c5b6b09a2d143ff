import { expect, it } from 'vitest'
import { startSite } from '../../site/site.js'
import { openBrowser } from './open-browser.js'
import { textOf } from '../../kernel/fetch/open-fetcher.js'

it('a page without script elements is waited for if an attribute starts a timer', async () => {
  const onload = `setTimeout(() => (document.getElementById('out').textContent = 'DONE'), 400)`
  const page = `<!doctype html><title>t</title><body onload="${onload}"><p id="out"></p>`
  await using browser = openBrowser()
  await using site = await startSite({ pages: { '/': page } })
  expect(textOf(await browser.get(site.url('/')))).toContain('<p id="out">DONE</p>')
})
