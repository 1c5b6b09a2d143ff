import { describe, expect, it } from 'vitest'
import { useEngineSite } from '../../site/engine-site.js'
import { htmlPage } from '../../site/exchange.js'

const prose = '<p>The words that a reader came for, which no other page of the site has in this order.</p>'
/** A page of an application: what there is to read is brought by its script. */
const shellOf = (content: string): string =>
  `<!doctype html><title>App</title><div id="root"></div><script>root.innerHTML = ${JSON.stringify(content)}</script>`
const shell = shellOf(`<main><h1>Made</h1>${prose}</main>`)

const on = useEngineSite()

describe('scrape', () => {
  it('returns the text that scripts render, and takes it from the cache the next time', async () => {
    await on.open({ '/app': shell })
    const page = await on.engine.scrape(on.site.url('/app'))
    expect(page.markdown).toBe(`# Made\n\n${prose.replace(/<\/?p>/g, '')}`)
    expect(page).not.toHaveProperty('warning')
    expect((await on.engine.scrape(on.site.url('/app'))).metadata.cacheState).toBe('hit')
    expect(on.site.requests.map(({ path }) => path)).toEqual(['/app', '/app'])
  })

  it('gives a page of a job its whole `timeout` once its turn in the browser has come', async () => {
    await on.open({}, { fetcher: 'browser', browser: { maxPages: 1 }, retry: { maxRetries: 0 } })
    const urls = [1, 2, 3, 4, 5, 6].map((nth) => on.site.url(`/slow-headers?ms=2500&nth=${nth}`))
    // The last waits longer for its turn than a page may take.
    const status = await on.engine.batchScrape({ urls, timeout: 12_000, blockAds: false }).finished()
    expect(status).toMatchObject({ completed: 6, status: 'completed' })
  }, 90_000)

  it('counts the bytes and seconds of a page in the browser, and ends a job at its `budget`', async () => {
    const script = ({ response }: { response: { end(body: string): void } }) =>
      response.end(`/* ${'x'.repeat(5000)} */`)
    const pages = Object.fromEntries(
      [0, 1, 2].map((at) => [`/${at}`, htmlPage('A', `${prose}<script src="/s${at}.js"></script>`)]),
    )
    const scripts = Object.fromEntries([0, 1, 2].map((at) => [`/s${at}.js`, script]))
    await on.open({ ...pages, ...scripts }, { fetcher: 'browser', maxConcurrency: 1 })
    const urls = Object.keys(pages).map((path) => on.site.url(path))
    const job = on.engine.batchScrape({ urls, budget: { browserSeconds: 0.001 } })
    const stopped = await job.finished()
    expect(stopped).toMatchObject({ completed: 1, total: 3, stoppedBy: 'browserSeconds' })
    expect(stopped.used.browserSeconds).toBeGreaterThan(0.001)
    // The page and its script, and perhaps an icon.
    expect(stopped.used.requests).toBeGreaterThanOrEqual(2)
    expect(stopped.used.bytes).toBeGreaterThan(5000)
    void job.resume({ budget: { browserSeconds: 1000 } })
    expect(await job.finished()).toMatchObject({ completed: 3 })
  })

  it('starts no browser for a page that has its text', async () => {
    await on.open({ '/a': htmlPage('A', prose) }, { browser: { executablePath: '/no/such/browser' } })
    expect(await on.engine.scrape(on.site.url('/a'))).not.toHaveProperty('warning')
  })

  it('returns the page fetched by HTTP, with a warning and uncached, if a browser is needed and none is found', async () => {
    await on.open({ '/app': shell }, { browser: { executablePath: '/no/such/browser' } })
    const page = await on.engine.scrape(on.site.url('/app'))
    expect(page.warning).toMatch(/seems to need a browser \(`#root` is empty.*\/no\/such\/browser/)
    expect((await on.engine.scrape(on.site.url('/app'))).metadata.cacheState).toBe('miss')
  })

  it('waits for the time of `waitFor` in a browser, even if the cache has the page without a browser', async () => {
    const late = htmlPage(
      'Late',
      `${prose}<p id="out"></p><script>setTimeout(() => (out.textContent = 'LATE'), 1800)</script>`,
    )
    await on.open({ '/late': late })
    const options = { formats: ['rawHtml'], onlyMainContent: false } as const
    expect((await on.engine.scrape(on.site.url('/late'), options)).rawHtml).toContain('<p id="out"></p>')
    const waited = await on.engine.scrape(on.site.url('/late'), { ...options, waitFor: 2000 })
    expect(waited.rawHtml).toContain('<p id="out">LATE</p>')
    expect(waited.metadata.cacheState).toBe('miss')
    expect((await on.engine.scrape(on.site.url('/late'), { ...options, waitFor: 1000 })).metadata.cacheState).toBe(
      'hit',
    )
    expect((await on.engine.scrape(on.site.url('/late'), { ...options, waitFor: 2500 })).metadata.cacheState).toBe(
      'miss',
    )
  })

  it('emulates a phone with `mobile`, and requests the language of the location, also without a browser', async () => {
    await on.open({ '/a': htmlPage('A', prose) })
    await on.engine.scrape(on.site.url('/a'), { mobile: true, location: { country: 'de' } })
    expect(on.site.requests[0]?.headers).toMatchObject({
      'user-agent': expect.stringMatching(/Android.*Mobile/),
      'accept-language': 'de-DE,de;q=0.9,en;q=0.8',
    })
  })

  it('runs actions, and reports which one failed', async () => {
    await on.open({ '/app': shell })
    const actions = [{ type: 'wait', selector: 'h1' }, { type: 'scrape' }] as const
    const page = await on.engine.scrape(on.site.url('/app'), { actions: [...actions] })
    expect(page.actions).toEqual({
      screenshots: [],
      scrapes: [{ url: on.site.url('/app'), html: expect.stringContaining('<h1>Made</h1>') }],
      javascriptReturns: [],
      pdfs: [],
    })
    const failing = on.engine.scrape(on.site.url('/app'), {
      actions: [{ type: 'scrape' }, { type: 'wait', selector: ':::' }],
    })
    await expect(failing).rejects.toMatchObject({
      code: 'SCRAPE_ACTION_ERROR',
      message: expect.stringContaining('`actions[1]` (wait)'),
    })
    await expect(on.engine.scrape(on.site.url('/json'), { actions: [...actions] })).rejects.toMatchObject({
      code: 'SCRAPE_ACTIONS_NOT_SUPPORTED',
      status: 400,
    })
  })

  it('fetches files by HTTP, whatever fetcher was requested', async () => {
    await on.open({}, { fetcher: 'browser' })
    const page = await on.engine.scrape(on.site.url('/json'))
    expect(page.markdown).toContain('"items"')
    expect(page.metadata.contentType).toBe('application/json')
  })

  it('never starts a browser with `fetcher: http`', async () => {
    await on.open({ '/app': shell }, { fetcher: 'http' })
    expect((await on.engine.scrape(on.site.url('/app'))).markdown).toBe('')
    await expect(on.engine.scrape(on.site.url('/app'), { waitFor: 10 })).rejects.toMatchObject({
      code: 'SCRAPE_NO_BROWSER',
    })
  })
})

describe('a job', () => {
  it('needs no browser for a text that is in the embedded data of the page, and explain() says where it was', async () => {
    const article = { title: 'Kept in the page', content: prose.repeat(6) }
    const data = JSON.stringify({ props: { pageProps: { article } } })
    const html = `<!doctype html><title>Kept in the page</title><div id="__next"></div><script id="__NEXT_DATA__" type="application/json">${data}</script><script src="/app.js"></script>`
    await on.open({ '/app': html }, { browser: { executablePath: '/no/such/browser' } })
    const job = on.engine.batchScrape({ urls: [on.site.url('/app')] })
    for await (const document of job) {
      expect(document.markdown).toMatch(/^# Kept in the page\n\nThe words that a reader came for/)
      expect(document.metadata.hydratedFrom).toBe('__NEXT_DATA__')
      expect(document).not.toHaveProperty('warning')
    }
    expect(await job.explain(on.site.url('/app'))).toMatchObject({
      attempts: [
        {
          fetcher: 'http',
          fetcherReason:
            'its text was read from its `__NEXT_DATA__`, although `#__next` is empty until scripts fill it',
        },
      ],
    })
  })

  it('learns which pages need a browser, and explain() says which fetcher and why', async () => {
    const names = ['one', 'two', 'three', 'four']
    const links = names.map((name) => `<a href="/app/the-page-${name}">${name}</a>`).join(' ')
    const pages = Object.fromEntries(
      names.map((name) => [`/app/the-page-${name}`, shellOf(`<main><h1>${name}</h1>${prose}<p>${name}</p></main>`)]),
    )
    await on.open({ '/': htmlPage('Start', `${prose}${links}`), ...pages })
    const job = on.engine.crawl({ url: on.site.url('/'), sitemap: 'skip', maxConcurrency: 1 })
    expect((await job.finished()).completed).toBe(5)
    const attemptOf = async (path: string) => {
      const row = await job.explain(on.site.url(path))
      return row && 'attempts' in row ? row.attempts[0] : undefined
    }
    expect(await attemptOf('/')).toMatchObject({ fetcher: 'http' })
    expect(await attemptOf('/app/the-page-one')).toMatchObject({
      fetcher: 'browser',
      fetcherReason: '`#root` is empty until scripts fill it',
    })
    expect(await attemptOf('/app/the-page-four')).toMatchObject({
      fetcher: 'browser',
      fetcherReason: 'earlier pages with this URL template needed a browser',
    })
    const visits = on.site.requests.filter(({ path }) => path === '/app/the-page-four')
    expect(visits).toHaveLength(1)
  })
})
