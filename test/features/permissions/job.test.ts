import { describe, expect, it } from 'vitest'
import type { Handler } from '../../site/exchange.js'
import { answer, page, useCrawlSite } from '../../kernel/job/crawl-site.js'

const on = useCrawlSite()

const askedPaths = (): string[] => on.site.requests.map(({ path }) => path).toSorted()

describe('a crawl with `use`', () => {
  it('skips what robots.txt denies before it is fetched, and quotes the line', async () => {
    await on.open({
      '/': page('/open', '/news/a'),
      '/open': page(),
      '/news/a': page(),
      '/robots.txt': 'User-agent: *\nContent-Signal: /news/ ai-train=no\nAllow: /',
    })
    const { job, paths } = await on.crawl({ scrapeOptions: { use: ['ai-train'] } })
    expect(paths).toEqual(['/', '/open'])
    expect(await on.rowOf(job, '/news/a')).toMatchObject({
      outcome: 'skipped',
      attempts: [],
      refusal: {
        reason: 'NOT_PERMITTED',
        message: `\`ai-train\` is denied by ${on.site.url('/robots.txt')} line 2: Content-Signal: /news/ ai-train=no`,
      },
    })
    expect(askedPaths()).not.toContain('/news/a')
    const unseen = await job.explain(on.site.url('/news/b'))
    expect(unseen).toMatchObject({ outcome: 'unseen', refusal: { reason: 'NOT_PERMITTED' } })
  })

  it('hands out no content of a page that denies its use, and follows its links', async () => {
    await on.open({
      '/': page('/denied'),
      '/denied': answer({ 'x-robots-tag': 'noai' }, page('/behind')),
      '/behind': page(),
    })
    const { job, paths } = await on.crawl({ scrapeOptions: { use: ['ai-train'] } })
    expect(paths).toEqual(['/', '/behind'])
    expect(await on.rowOf(job, '/denied')).toMatchObject({
      outcome: 'skipped',
      attempts: [{ statusCode: 200 }],
      refusal: { reason: 'NOT_PERMITTED', message: '`ai-train` is denied by header `x-robots-tag`: noai' },
    })
  })

  it('reads no licence file of more than 262,144 bytes', async () => {
    const link = { link: '</license.xml>; rel=license; type=application/rsl+xml' }
    await on.open({ '/': answer(link), '/license.xml': answer({}, `<rsl>${' '.repeat(300_000)}</rsl>`) })
    const { permissions } = await on.engine.scrape(on.site.url('/'), { use: ['search'] })
    expect(permissions?.statements.at(-1)?.text).toBe('could not be read: has more than 262144 bytes')
  })

  it('hands out pages with a short `timeout` where policy files hang', async () => {
    const hang: Handler = () => undefined
    await on.open({
      '/': page('/a'),
      '/a': answer({ link: '</license.xml>; rel=license; type=application/rsl+xml' }),
      '/.well-known/tdmrep.json': hang,
      '/license.xml': hang,
    })
    const { permissions } = await on.engine.scrape(on.site.url('/a'), { use: ['search'], timeout: 4000 })
    const texts = permissions?.statements.map(({ text }) => text)
    const late = 'could not be read: the page had waited 1200 ms for policy files'
    expect(texts).toEqual([late, late])
    const { paths } = await on.crawl({ scrapeOptions: { use: ['search'], timeout: 4000 } })
    expect(paths).toEqual(['/', '/a'])
  })

  it('asks for the policy files of a site once', async () => {
    await on.open({
      '/': page('/a', '/b'),
      '/a': page(),
      '/b': page(),
      '/robots.txt': 'License: /license.xml',
      '/license.xml':
        '<rsl><content url="/b"><license><prohibits type="usage">all</prohibits></license></content></rsl>',
    })
    const { paths } = await on.crawl({ scrapeOptions: { use: ['search'] } })
    expect(paths).toEqual(['/', '/a'])
    const files = askedPaths().filter((path) => !path.includes('sitemap'))
    expect(files).toEqual(['/', '/.well-known/tdmrep.json', '/a', '/license.xml', '/robots.txt'])
  })

  it('judges the site that a page redirects to', async () => {
    await on.open({
      '/': page('/moved'),
      '/moved': ({ response }) => void response.writeHead(302, { location: '/private/a' }).end(),
      '/private/a': page(),
      '/robots.txt': 'User-agent: *\nContent-Usage: /private/ ai-use=n\nAllow: /',
    })
    const { job, paths } = await on.crawl({ scrapeOptions: { use: ['ai-input'] } })
    expect(paths).toEqual(['/'])
    expect((await on.rowOf(job, '/moved'))?.refusal?.reason).toBe('NOT_PERMITTED')
  })
})

describe('a crawl with `use` and `since`', () => {
  const NOAI = '<!doctype html><title>t</title><meta name="robots" content="noai"><main><p>Some words.</p></main>'
  const use = { scrapeOptions: { use: ['ai-train'] }, since: 'last', sitemap: 'skip' } as const
  /** A page with an ETag, which answers 304 as long as it has these headers and this text. */
  const tagged = (read: () => { html: string; headers?: Record<string, string> }): Handler => {
    return ({ request, response }) => {
      const { html, headers = {} } = read()
      const etag = `"${html.length}"`
      const isSame = request.headers['if-none-match'] === etag
      response.writeHead(isSame ? 304 : 200, { 'content-type': 'text/html', etag, ...headers })
      response.end(isSame ? undefined : html)
    }
  }

  it('reads pages again that a crawl without `use` has read', async () => {
    await on.open({ '/': page('/a'), '/a': tagged(() => ({ html: NOAI })) })
    await on.crawl({ since: 'last', sitemap: 'skip' })
    const { job, status } = await on.crawl(use)
    expect((await on.rowOf(job, '/a'))?.refusal?.reason).toBe('NOT_PERMITTED')
    expect(status.warning).toContain('`use`')
  })

  it('reads a page again that was denied', async () => {
    let isDenied = true
    const headers = (): Record<string, string> => (isDenied ? { 'x-robots-tag': 'noai' } : {})
    await on.open({ '/': page('/a'), '/a': tagged(() => ({ html: page(), headers: headers() })) })
    expect((await on.crawl(use)).paths).toEqual(['/'])
    isDenied = false
    const { status } = await on.crawl(use)
    const found = status.data.find(({ metadata }) => metadata.url === on.site.url('/a'))
    expect(found?.changeTracking?.changeStatus).not.toBe('same')
    expect(found).toHaveProperty('markdown')
  })

  it('judges the headers of an answer 304', async () => {
    let isDenied = false
    const headers = (): Record<string, string> => (isDenied ? { 'x-robots-tag': 'noai' } : {})
    await on.open({ '/': page('/a'), '/a': tagged(() => ({ html: page('/b'), headers: headers() })), '/b': page() })
    expect((await on.crawl(use)).paths).toEqual(['/', '/a', '/b'])
    isDenied = true
    const { job, paths } = await on.crawl(use)
    expect(paths).toEqual(['/', '/b'])
    expect((await on.rowOf(job, '/a'))?.refusal?.message).toBe('`ai-train` is denied by header `x-robots-tag`: noai')
  })
})

describe('a crawl with `robotsUserAgent`', () => {
  it('reads headers and meta tags that are addressed to it', async () => {
    const meta = (name: string) => `<!doctype html><meta name="${name}" content="noai"><main><p>Words.</p></main>`
    await on.open({
      '/': page('/a', '/b', '/c', '/d'),
      '/a': answer({ 'x-robots-tag': 'examplebot: noai' }),
      '/b': meta('examplebot'),
      '/c': answer({ 'x-robots-tag': 'trawl: noai' }),
      '/d': meta('trawl'),
    })
    const { paths } = await on.crawl({ robotsUserAgent: 'ExampleBot', scrapeOptions: { use: ['ai-train'] } })
    expect(paths).toEqual(['/', '/c', '/d'])
  })
})

describe('without `use`', () => {
  it('a crawl tells what robots.txt and the pages state, and requests nothing more', async () => {
    await on.open({
      '/': answer({ 'tdm-reservation': '1' }),
      '/robots.txt': 'User-agent: *\nContent-Signal: search=yes\nLicense: /license.xml',
    })
    const { status } = await on.crawl({ sitemap: 'skip' })
    const [document] = status.data
    expect(document?.permissions).toMatchObject({ search: 'granted', 'ai-input': 'denied', 'ai-train': 'denied' })
    expect(document?.permissions?.statements.map(({ where, text }) => `${where}: ${text}`)).toEqual([
      'header `tdm-reservation`: tdm-reservation: 1',
      `${on.site.url('/robots.txt')} line 2: Content-Signal: search=yes`,
      `${on.site.url('/robots.txt')} line 3: License: /license.xml`,
    ])
    expect(askedPaths()).toEqual(['/', '/robots.txt'])
  })

  it('a scrape requests only the page, and has no `permissions` when nothing is stated', async () => {
    await on.open({ '/': page(), '/robots.txt': 'User-agent: *\nContent-Signal: search=no' })
    expect(await on.engine.scrape(on.site.url('/'))).not.toHaveProperty('permissions')
    expect(askedPaths()).toEqual(['/'])
  })

  it('licences are stated if they are web URLs of at most 8000 characters', async () => {
    const links = ['javascript:a', `data:text/plain,${'x'.repeat(100_000)}`, `/${'x'.repeat(8000)}`, '/by']
    const html = `<title>t</title>${links.map((href) => `<a rel="license" href="${href}">a</a>`).join('')}<p>Words.</p>`
    const headers = {
      link: `<mailto:a@example.com>; rel=license, </${'y'.repeat(8000)}>; rel=license`,
      'tdm-reservation': '1',
      'tdm-policy': `/${'z'.repeat(8000)}`,
    }
    await on.open({ '/': answer(headers, html) })
    const { permissions } = await on.engine.scrape(on.site.url('/'))
    expect(permissions?.statements.map(({ protocol, license }) => [protocol, license])).toEqual([
      ['tdmrep', undefined],
      ['rel-license', on.site.url('/by')],
    ])
  })

  it('links to licences are stated, and nothing is decided by them', async () => {
    const html = '<title>t</title><a rel="license" href="/by">CC BY</a><p>Words.</p>'
    await on.open({ '/': answer({ link: '<https://example.com/l>; rel=license' }, html) })
    const { permissions } = await on.engine.scrape(on.site.url('/'), { formats: ['links'] })
    expect(permissions).toMatchObject({ search: 'unstated', 'ai-input': 'unstated', 'ai-train': 'unstated' })
    expect(permissions?.statements.map(({ license }) => license)).toEqual(['https://example.com/l', on.site.url('/by')])
  })

  it('of many licences in a page, those in its first 65,536 characters are read', async () => {
    const content = '<content url="/"><license><prohibits type="usage">search</prohibits></license></content>'
    const script = `<script type="application/rsl+xml"><rsl>${content.padEnd(30_000)}</rsl></script>`
    await on.open({ '/': answer({}, `<title>t</title>${script.repeat(20)}<p>Words.</p>`) })
    const { permissions } = await on.engine.scrape(on.site.url('/'))
    expect(permissions).toMatchObject({ search: 'denied', 'ai-train': 'unstated' })
    expect(permissions?.statements.map(({ says }) => says)).toEqual([{ search: 'denied' }, { search: 'denied' }, {}])
    expect(permissions?.statements.at(-1)?.text).toContain('more than 65536 characters')
  })

  it('a page with status 402 is a document with the price that it asks', async () => {
    await on.open({ '/': answer({ 'crawler-price': 'USD 0.01' }, page(), 402) })
    const { metadata } = await on.engine.scrape(on.site.url('/'))
    expect(metadata).toMatchObject({ statusCode: 402, crawlerPrice: 'USD 0.01' })
    expect(on.site.requests.some(({ headers }) => Object.keys(headers).some((name) => name.includes('price')))).toBe(
      false,
    )
  })
})

describe('`use` of a batch, a scrape and a parse', () => {
  it('refuses in the same way', async () => {
    await on.open({ '/a': page(), '/b': page(), '/robots.txt': 'User-agent: *\nContent-Usage: /b search=n' })
    const job = on.engine.batchScrape({ urls: [on.site.url('/a'), on.site.url('/b')], use: ['search'] })
    expect((await job.finished()).data).toHaveLength(1)
    expect(await job.explain(on.site.url('/b'))).toMatchObject({ refusal: { reason: 'NOT_PERMITTED' } })
    expect(askedPaths()).not.toContain('/b')
    const html = '<meta name="robots" content="noindex"><p>Words.</p>'
    await expect(
      on.engine.parse({ body: html, url: 'https://example.com/', contentType: 'text/html' }, { use: ['search'] }),
    ).rejects.toMatchObject({
      code: 'SCRAPE_NOT_PERMITTED',
      message: '`search` is denied by meta `robots`: noindex',
    })
  })

  it('fails while robots.txt cannot be read', async () => {
    await on.open({ '/': page(), '/robots.txt': answer({}, '', 503) })
    const scraped = on.engine.scrape(on.site.url('/'), { use: ['search'] })
    await expect(scraped).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
    expect(askedPaths()).not.toContain('/')
  })

  it('with `lockdown` takes policy files from memory', async () => {
    const rules = '[{"location":"/a","tdm-reservation":1}]'
    await on.open({ '/a': page(), '/.well-known/tdmrep.json': answer({}, rules) })
    await on.engine.scrape(on.site.url('/a'), { use: ['search'] })
    const before = on.site.requests.length
    const scraped = on.engine.scrape(on.site.url('/a'), { use: ['ai-train'], lockdown: true })
    await expect(scraped).rejects.toMatchObject({ code: 'SCRAPE_NOT_PERMITTED' })
    expect(on.site.requests).toHaveLength(before)
  })

  it('with `lockdown` requests nothing', async () => {
    await on.open({ '/': page() })
    const scraped = on.engine.scrape(on.site.url('/'), { use: ['search'], lockdown: true })
    await expect(scraped).rejects.toMatchObject({ code: 'SCRAPE_LOCKDOWN_CACHE_MISS' })
    expect(on.site.requests).toEqual([])
  })
})
