import { describe, expect, it } from 'vitest'
import { TrawlError } from '../../../src/base/errors.js'
import type { Fetchers } from '../../../src/kernel/fetch/engine-fetchers.js'
import { fetchPage } from '../../../src/kernel/fetch/fetch.js'
import type { FetchedPage } from '../../../src/kernel/fetch/fetched-page.js'
import type { Declined, FetchPlan, PageRequest, RenderingPredictor } from '../../../src/kernel/fetch/fetcher.js'

const request: PageRequest = { url: 'http://site.test/', sourceURL: 'site.test' }
const plan: FetchPlan = { headers: {}, skipTlsVerification: true, timeoutMs: 10_000 }
const { signal } = new AbortController()

const pageOf = (html: string, more: Partial<FetchedPage> = {}): FetchedPage => ({
  url: request.url,
  redirects: [],
  statusCode: 200,
  headers: {},
  contentType: 'text/html',
  body: new TextEncoder().encode(html),
  fetcher: 'http',
  fetchedAtMs: 0,
  ...more,
})

const prose = '<main><p>There is something to read on this page, and it is in the HTML that the server sent.</p></main>'
const shell = '<body><div id="root"></div><script src="app.js"></script></body>'
const rendered = pageOf(`<body><div id="root">${prose}</div></body>`, { fetcher: 'browser' })

/** Fetchers that return these pages, and record which of them was called. */
function fetchersOf(plain: FetchedPage, fromBrowser?: FetchedPage | Declined | Error): Fetchers & { asked: string[] } {
  const asked: string[] = []
  const close = async () => undefined
  const http = { name: 'http', close, fetch: async () => (asked.push('http'), plain) }
  if (!fromBrowser) return { asked, http }
  const renderer = {
    name: 'browser',
    stopWarnings: [],
    close,
    fetch: async () => {
      asked.push('browser')
      if (fromBrowser instanceof Error) throw fromBrowser
      return fromBrowser
    },
  }
  return { asked, http, renderer }
}

describe('the fetcher chosen for a page', () => {
  it('is HTTP for a page whose HTML has its text', async () => {
    const fetchers = fetchersOf(pageOf(prose), rendered)
    expect(await fetchPage(request, plan, fetchers, signal)).toEqual(pageOf(prose))
    expect(fetchers.asked).toEqual(['http'])
  })

  it('is the browser for a page filled by scripts, with the reason', async () => {
    const fetchers = fetchersOf(pageOf(shell), rendered)
    const page = await fetchPage(request, plan, fetchers, signal)
    expect(page).toEqual({ ...rendered, fetcherReason: '`#root` is empty until scripts fill it' })
    expect(fetchers.asked).toEqual(['http', 'browser'])
  })

  it('is the browser without a request over HTTP when an option needs it', async () => {
    const fetchers = fetchersOf(pageOf(prose), rendered)
    const page = await fetchPage(request, { ...plan, needsBrowser: ['waitFor'] }, fetchers, signal)
    expect(page.fetcherReason).toBe('`waitFor` needs a browser')
    expect(fetchers.asked).toEqual(['browser'])
  })

  it.each([
    ['a text', '<p>Loading…</p>'],
    ['skeletons', '<h1>Lamps</h1>' + '<div class="skeleton"></div>'.repeat(3)],
  ])('adds a warning to a page that stays a placeholder: %s', async (_what, loading) => {
    const html = `<body><div id="root">${loading}</div><script src="app.js"></script></body>`
    const warnings = [expect.stringContaining('The page seems to show only a placeholder')]
    const [plain, same] = [pageOf(html), pageOf(html, { fetcher: 'browser' })]
    const rendering: RenderingPredictor = { predict: () => 'http', record: () => {}, recordPlain: () => {} }
    expect(await fetchPage(request, plan, fetchersOf(plain, same), signal)).toMatchObject({ fetcher: 'http', warnings })
    expect(await fetchPage({ ...request, rendering }, plan, fetchersOf(plain, same), signal)).toMatchObject({
      warnings,
    })
    const inBrowser = await fetchPage(request, { ...plan, fetcher: 'browser' }, fetchersOf(plain, same), signal)
    expect(inBrowser).toMatchObject({ fetcher: 'browser', warnings })
    const loaded = await fetchPage(request, plan, fetchersOf(plain, rendered), signal)
    expect(loaded.warnings).toBeUndefined()
  })

  it.each([
    '<h1>Invoices</h1><p>None yet.</p><div hidden>Loading…</div>',
    '<h1>Loading ramps</h1><p>From $99</p>',
    '<h1>Загрузки</h1><a href="/a">Atlas</a>',
  ])('is HTTP, without a warning, for a short page that says more than that it loads: %s', async (html) => {
    const fetchers = fetchersOf(pageOf(`<body>${html}<script>1</script></body>`), rendered)
    const page = await fetchPage(request, plan, fetchers, signal)
    expect(page.warnings).toBeUndefined()
    expect(fetchers.asked).toEqual(['http'])
  })

  it('is the browser where a short text replaces a placeholder', async () => {
    const filled = pageOf('<body><h1>Stock: 42</h1><script>1</script></body>', { fetcher: 'browser' })
    const fetchers = fetchersOf(pageOf('<body><p>Loading…</p><script>1</script></body>'), filled)
    const page = await fetchPage(request, plan, fetchers, signal)
    expect(page).toMatchObject({ fetcher: 'browser', body: filled.body })
    expect(page.warnings).toBeUndefined()
  })

  it.each(['http', 'browser'] as const)("is %s when the engine's `fetcher` says so", async (fetcher) => {
    const fetchers = fetchersOf(pageOf(shell), rendered)
    await fetchPage(request, { ...plan, fetcher }, fetchers, signal)
    expect(fetchers.asked).toEqual([fetcher])
  })

  it('is HTTP for a page that the browser declines', async () => {
    const fetchers = fetchersOf(pageOf('%PDF', { contentType: 'application/pdf' }), { declined: 'would download it' })
    const page = await fetchPage(request, { ...plan, fetcher: 'browser' }, fetchers, signal)
    expect(page).toMatchObject({ fetcher: 'http', fetcherReason: 'the browser would download it' })
  })

  it('is the one that the job has learnt for pages of this URL template', async () => {
    const learnt = (expected: 'http' | 'browser') => ({
      ...request,
      rendering: { predict: () => expected, record: () => undefined, recordPlain: () => undefined },
    })
    const fetchers = fetchersOf(pageOf(shell), rendered)
    await fetchPage(learnt('browser'), plan, fetchers, signal)
    expect(fetchers.asked).toEqual(['browser'])
    await fetchPage(learnt('http'), plan, fetchers, signal)
    expect(fetchers.asked).toEqual(['browser', 'http'])
  })
})

describe('the page fetched over HTTP', () => {
  it('is kept when the browser finds no more text, and the predictor records it', async () => {
    const noted: boolean[] = []
    const record = (_url: string, gained: boolean): void => void noted.push(gained)
    const rendering = { predict: () => undefined, record, recordPlain: () => undefined }
    const fetchers = fetchersOf(pageOf(shell), pageOf(shell, { fetcher: 'browser' }))
    expect(await fetchPage({ ...request, rendering }, plan, fetchers, signal)).toMatchObject({ fetcher: 'http' })
    expect(noted).toEqual([false])
  })

  it('comes with a warning when no browser is installed', async () => {
    const missing = new TrawlError('SCRAPE_NO_BROWSER', 'No browser was found')
    const page = await fetchPage(request, plan, fetchersOf(pageOf(shell), missing), signal)
    expect(page.fetcher).toBe('http')
    expect(page.warnings).toEqual([
      'The page seems to need a browser (`#root` is empty until scripts fill it); fetched without one: No browser was found.',
    ])
  })

  it('comes with the command that installs a browser when its package is missing, and without a browser by choice', async () => {
    const missing = new TrawlError(
      'SCRAPE_NO_BROWSER',
      'The page needs a browser, and the package is not installed: `npm install x`',
    )
    const page = await fetchPage(request, plan, fetchersOf(pageOf(shell), missing), signal)
    expect(page.warnings?.[0]).toMatch(
      /^The page seems to need a browser \(.*\), and the package is not installed: `npm install x`\.$/,
    )
    const byChoice = await fetchPage(request, { ...plan, fetcher: 'http' }, fetchersOf(pageOf(shell), rendered), signal)
    expect(byChoice.warnings?.[0]).toMatch(
      /^The page seems to need a browser \(.*\); fetched without one: `fastMode`, or the engine's `fetcher: 'http'`, allows none\.$/,
    )
  })

  it('is kept when the site blocks the browser', async () => {
    const refused = pageOf(`${prose}${prose}`, { fetcher: 'browser', statusCode: 403 })
    expect(await fetchPage(request, plan, fetchersOf(pageOf(shell), refused), signal)).toMatchObject({
      statusCode: 200,
    })
  })
})

describe('the embedded data of a page', () => {
  const need = '`#root` is empty until scripts fill it'
  const text = 'There is more to read on this page than its HTML shows, and all of it came along. '.repeat(6).trim()
  const dataOf = (post: object): FetchedPage =>
    pageOf(
      `<div id="root"></div><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: { post } } })}</script><script src="a.js"></script>`,
    )
  const whole = dataOf({ title: 'All of it', body: text })
  const part = dataOf({ title: 'A part of it', body: `${text} …` })
  const doubt = 'Its text was read from its `__NEXT_DATA__` and may be incomplete.'

  it('replaces the text of the page when it is complete, without a browser', async () => {
    const plainOnes: string[] = []
    const rendering = {
      predict: () => undefined,
      record: () => undefined,
      recordPlain: (url: string) => void plainOnes.push(url),
    }
    const fetchers = fetchersOf(whole, rendered)
    const page = await fetchPage({ ...request, rendering }, plan, fetchers, signal)
    expect(page).toMatchObject({
      fetcher: 'http',
      fetcherReason: `its text was read from its \`__NEXT_DATA__\`, although ${need}`,
      hydratedFrom: '__NEXT_DATA__',
    })
    expect(page.warnings).toBeUndefined()
    expect(new TextDecoder().decode(page.body)).toContain(`<p>${text}</p>`)
    expect(fetchers.asked).toEqual(['http'])
    expect(plainOnes).toEqual([request.url])
  })

  it('is not used when a browser finds more text', async () => {
    const more = pageOf(prose.repeat(9), { fetcher: 'browser' })
    expect(await fetchPage(request, plan, fetchersOf(part, more), signal)).toEqual({ ...more, fetcherReason: need })
  })

  it('is used with a warning when it may be incomplete and there is no browser', async () => {
    const missing = new TrawlError('SCRAPE_NO_BROWSER', 'No browser was found')
    const page = await fetchPage(request, plan, fetchersOf(part, missing), signal)
    expect(page.hydratedFrom).toBe('__NEXT_DATA__')
    expect(page.warnings).toEqual([
      `The page seems to need a browser (${need}); fetched without one: No browser was found.`,
      doubt,
    ])
    const plainly = await fetchPage(request, { ...plan, fetcher: 'http' }, fetchersOf(part), signal)
    expect(plainly.warnings).toEqual([`The page seems to need a browser (${need}).`, doubt])
    expect(await fetchPage(request, { ...plan, fetcher: 'http' }, fetchersOf(whole), signal)).not.toHaveProperty(
      'warnings',
    )
  })

  it('is not used in challenge pages, nor in files such as robots.txt', async () => {
    const guarded = { ...part, statusCode: 403, error: 'Forbidden' }
    expect(
      await fetchPage(request, { ...plan, fetcher: 'http', mayBeBlocked: true }, fetchersOf(part), signal),
    ).toEqual(part)
    expect(await fetchPage(request, { ...plan, fetcher: 'http' }, fetchersOf(guarded), signal)).not.toHaveProperty(
      'hydratedFrom',
    )
  })
})

it('a page is refused when an option needs a browser and the engine has none', async () => {
  const fetching = fetchPage(request, { ...plan, needsBrowser: ['actions', 'waitFor'] }, fetchersOf(pageOf('')), signal)
  await expect(fetching).rejects.toMatchObject({
    code: 'SCRAPE_NO_BROWSER',
    message: "`actions`, `waitFor` need a browser, and this engine's `fetcher` is 'http'",
  })
})

it('a page is refused when it has actions and the browser declines it', async () => {
  const acting = { waitForMs: 0, actions: [{ type: 'scrape' as const }], captures: {}, blockAds: false }
  const fetchers = fetchersOf(pageOf('%PDF'), { declined: 'would download it' })
  const fetching = fetchPage(request, { ...plan, needsBrowser: ['actions'], browser: acting }, fetchers, signal)
  await expect(fetching).rejects.toMatchObject({ code: 'SCRAPE_ACTIONS_NOT_SUPPORTED', status: 400 })
})
