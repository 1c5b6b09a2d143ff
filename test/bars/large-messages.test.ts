import { constants } from 'node:buffer'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MAX_EVENT } from '../../src/features/browser/process/limit-messages.js'
import { openBrowser } from '../features/browser/open-browser.js'
import { textOf } from '../kernel/fetch/open-fetcher.js'
import { startSite, type Site } from '../site/site.js'

/**
 * The test command makes messages of twice the limit, which Playwright must not see. `npm run test:bars` makes them longer than
 * a string can be: the browser takes a minute for each, at full load.
 */
const isWhole = process.env['BARS'] === 'whole'
const MESSAGE_BYTES = isWhole ? constants.MAX_STRING_LENGTH + MAX_EVENT : 2 * MAX_EVENT

describe('pages whose scripts make large messages', () => {
  // A control character takes six bytes in JSON.
  const large = `'\\x00'.repeat(${Math.ceil(MESSAGE_BYTES / 6)})`
  const page = (script: string): string =>
    `<!doctype html><title>Large</title><h1>Large</h1><p>The text of the page.</p>${script}`
  const browser = openBrowser()
  let site: Site
  beforeAll(async () => {
    site = await startSite({
      pages: {
        '/console': page(`<script>console.log(${large})</script>`),
        '/frame': page(`<iframe sandbox="allow-scripts" srcdoc="<script>console.log(${large})</script>"></iframe>`),
        '/post': page(`<script>fetch('/', { method: 'POST', body: ${large} }).catch(() => {})</script>`),
      },
    })
  })
  afterAll(async () => {
    await browser.close()
    await site.close()
  })

  // Without the limit, Playwright parses each message, and throws outside of every call, which ends the host process, where
  // one is longer than a string can be.
  it.each(['/console', '/frame', '/post'])('are read: %s', { timeout: 300_000 }, async (path) => {
    using parse = vi.spyOn(JSON, 'parse')
    const got = await browser.get(site.url(path), { timeoutMs: 280_000 }, AbortSignal.timeout(280_000))
    expect(textOf(got)).toContain('The text of the page.')
    const lengths = parse.mock.calls.map(([text]) => text.length)
    expect(lengths.length).toBeGreaterThan(0)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(MAX_EVENT)
  })
})
