import { afterAll, describe, expect, it } from 'vitest'
import { startSite } from '../../../site/site.js'
import { openBrowser } from '../open-browser.js'
import { openFetcher, textOf } from '../../../kernel/fetch/open-fetcher.js'

/** One browser for all that differs in the page only. */
const browser = openBrowser({ now: () => 42 })
afterAll(() => browser.close())

const html = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>${head}</head><body>${body}</body></html>`

describe('a page in the browser', () => {
  it('has the fields of the HTTP fetcher, and the HTML that its scripts made', async () => {
    await using site = await startSite({
      pages: { '/app': html('<div id="root"></div><script>root.innerHTML = "<h1>Made</h1>"</script>') },
    })
    const page = await browser.get(site.url('/app#part'))
    expect(page).toMatchObject({
      url: site.url('/app#part'),
      redirects: [],
      statusCode: 200,
      contentType: 'text/html; charset=utf-8',
      fetcher: 'browser',
      fetchedAtMs: 42,
    })
    expect(page.error).toBeUndefined()
    expect(page.warnings).toBeUndefined()
    expect(textOf(page)).toMatch(/^<!DOCTYPE html><html lang="en">.*<h1>Made<\/h1>/)
  })

  it('may have any status, and lists its redirects', async () => {
    await using site = await startSite()
    expect(await browser.get(site.url('/status/404'))).toMatchObject({ statusCode: 404, error: 'Not Found' })
    const page = await browser.get(site.url('/redirect/2#end'))
    expect(page.redirects).toEqual([
      { url: site.url('/redirect/2'), statusCode: 302 },
      { url: site.url('/redirect/1'), statusCode: 302 },
    ])
    expect(page.url).toBe(site.url('/redirect/0#end'))
  })

  it('does not reveal a password in a redirect', async () => {
    await using site = await startSite({
      pages: {
        '/in': ({ response }) =>
          void response.writeHead(302, { location: site.url('/behind').replace('//', '//name:secret@') }).end(),
        '/behind': ({ request, response }) =>
          request.headers.authorization === undefined
            ? void response.writeHead(401, { 'www-authenticate': 'Basic realm="here"' }).end()
            : void response
                .writeHead(200, { 'content-type': 'text/html' })
                .end(html('<a href="next">next</a><iframe src="/frame" width="200" height="100"></iframe>')),
        '/frame': html('<a href="inner">inner</a>'),
      },
    })
    const page = await browser.get(site.url('/in'))
    expect(page).toMatchObject({ url: site.url('/behind'), statusCode: 200 })
    expect(textOf(page)).toContain(`href="${site.url('/inner')}"`)
    expect(JSON.stringify(page) + textOf(page)).not.toContain('secret')
  })

  it('lists the redirects of scripts and meta elements', async () => {
    await using site = await startSite({
      pages: {
        '/by-script': html('<script>location.replace("/by-meta")</script>'),
        '/by-meta': html('', '<meta http-equiv="refresh" content="0; url=/page/end">'),
      },
    })
    const page = await browser.get(site.url('/by-script'))
    expect(page.url).toBe(site.url('/page/end'))
    expect(page.redirects.map(({ url }) => url)).toEqual([site.url('/by-script'), site.url('/by-meta')])
    expect(textOf(page)).toContain('Page end')
  })

  it('keeps its URL and correct links if its scripts change the address bar', async () => {
    const body = '<a href="next">next</a><script>history.replaceState(null, "", "/deep/inside/")</script>'
    await using site = await startSite({ pages: { '/app': html(body) } })
    const page = await browser.get(site.url('/app'))
    expect(page.url).toBe(site.url('/app'))
    expect(textOf(page)).toContain(`<base href="${site.url('/deep/inside/')}">`)
  })

  it.each(['/no-content', '/download', '/to-nothing'])(
    'keeps its document when a script navigates to a resource that is not shown: %s',
    async (path) => {
      await using site = await startSite({
        pages: {
          '/app': html(`<p>itself</p><script>setTimeout(() => (location.href = "${path}"), 50)</script>`),
          '/to-nothing': ({ response }) => void response.writeHead(302, { location: '/no-content' }).end(),
          '/download': ({ response }) => void response.writeHead(200, { 'content-type': 'application/zip' }).end('PK'),
        },
      })
      const page = await browser.get(site.url('/app'))
      expect(site.requests.map((request) => request.path)).toContain(path)
      expect(page).toMatchObject({ url: site.url('/app'), statusCode: 200, redirects: [] })
      expect(page.contentType).toContain('text/html')
      expect(textOf(page)).toContain('itself')
    },
  )

  it.each(['windows-1252', 'shift_jis', 'utf-8'])('is decoded by the charset of the server: %s', async (charset) => {
    await using site = await startSite()
    await using http = openFetcher()
    const path = site.url(`/charset/${charset}`)
    const rendered = textOf(await browser.get(path))
    const plain = new TextDecoder(charset).decode((await http.get(path)).body)
    const title = /<title>.*<\/title>/.exec(plain)?.[0]
    expect(rendered).toContain(title)
  })

  it('keeps cookies over redirects', async () => {
    await using site = await startSite()
    expect(textOf(await browser.get(site.url('/cookie-gate')))).toContain('Behind the gate')
  })

  it('shares no cookies with another page', async () => {
    const seen: (string | undefined)[] = []
    await using site = await startSite({
      pages: {
        '/in': ({ request, response }) => {
          seen.push(request.headers.cookie)
          response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=1' }).end('<p>in</p>')
        },
      },
    })
    await browser.get(site.url('/in'))
    await browser.get(site.url('/in'))
    expect(seen).toEqual([undefined, undefined])
  })
})

describe('a resource that is no page', () => {
  it.each([
    ['/binary', 'does not show image/png as a page'],
    ['/json', 'does not show application/json as a page'],
    ['/text', 'does not show text/plain; charset=utf-8 as a page'],
    ['/xml', 'does not show application/xml as a page'],
    ['/no-content', 'received a response without content'],
    ['/download', 'would download it'],
    ['/pdf', expect.stringMatching(/would download it|does not show application\/pdf/)],
  ])('is declined: %s', async (path, declined) => {
    await using site = await startSite({
      pages: {
        '/download': ({ response }) => {
          const headers = { 'content-type': 'text/html', 'content-disposition': 'attachment; filename="a.html"' }
          response.writeHead(200, headers).end('<p>a</p>')
        },
        '/pdf': ({ response }) => void response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.4\n'),
      },
    })
    expect(await browser.ask(site.url(path))).toEqual({ declined })
  })
})

describe('a page that cannot be loaded', () => {
  it.each([
    ['/reset', 'SCRAPE_SITE_ERROR'],
    ['/close', 'SCRAPE_SITE_ERROR'],
    ['/garbage', 'SCRAPE_SITE_ERROR'],
    ['/redirect-endless', 'SCRAPE_TOO_MANY_REDIRECTS'],
    ['/redirect-to?url=ftp://ftp.test/', 'SCRAPE_REDIRECT_ERROR'],
    ['/redirect-to?url=file:///etc/passwd', 'SCRAPE_REDIRECT_ERROR'],
    ['/redirect-to?url=data:text/html,x', 'SCRAPE_REDIRECT_ERROR'],
    ['/redirect-to?url=chrome://version', 'SCRAPE_REDIRECT_ERROR'],
  ])('fails with the code of the HTTP fetcher: %s', async (path, code) => {
    await using site = await startSite()
    await expect(browser.get(site.url(path))).rejects.toMatchObject({ code })
  })

  it('fails for a name that does not resolve, and a closed port', async () => {
    await expect(browser.get('http://no-such-host.invalid/')).rejects.toMatchObject({
      code: 'SCRAPE_DNS_RESOLUTION_ERROR',
      url: 'http://no-such-host.invalid/',
    })
    await expect(browser.get('https://no-such-host.invalid/')).rejects.toMatchObject({
      code: 'SCRAPE_DNS_RESOLUTION_ERROR',
    })
    const site = await startSite()
    await site.close()
    await expect(browser.get(site.url('/'))).rejects.toMatchObject({
      code: 'SCRAPE_SITE_ERROR',
      message: expect.stringContaining('refused'),
    })
  })

  it('fails for a certificate that is not valid, if certificates are verified', async () => {
    await using site = await startSite({ protocol: 'https' })
    await expect(browser.get(site.url('/page/a'), { skipTlsVerification: false })).rejects.toMatchObject({
      code: 'SCRAPE_SSL_ERROR',
      message: expect.stringContaining('skipTlsVerification'),
    })
    expect(textOf(await browser.get(site.url('/page/a'), { skipTlsVerification: true }))).toContain('Page a')
  })

  it('fails for more redirects than allowed', async () => {
    await using site = await startSite()
    await using strict = openBrowser({ limits: { redirects: 2 } })
    await expect(strict.get(site.url('/redirect/3'))).rejects.toMatchObject({ code: 'SCRAPE_TOO_MANY_REDIRECTS' })
    expect((await strict.get(site.url('/redirect/2'))).redirects).toHaveLength(2)
  })
})
