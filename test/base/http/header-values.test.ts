import { describe, expect, it } from 'vitest'
import { joinHeader, readContentType } from '../../../src/base/http/header-values.js'
import { createEngine } from '../../../src/index.js'
import { startSite } from '../../site/site.js'
import { openFetcher } from '../../kernel/fetch/open-fetcher.js'

describe('a header that a server sends several times', () => {
  it('is joined if it is a list, and counts once if it has one value', () => {
    expect(joinHeader('link', ['</a>', '</b>'])).toBe('</a>, </b>')
    expect(joinHeader('retry-after', ['1', '1'])).toBe('1')
    expect(joinHeader('last-modified', ['Mon, 02 Nov 2026 10:00:00 GMT', 'Mon, 02 Nov 2026 10:00:00 GMT'])).toBe(
      'Mon, 02 Nov 2026 10:00:00 GMT',
    )
  })

  it.each([
    ['text/html; charset=utf-8', 'text/html; charset=utf-8'],
    ['text/plain, text/html', 'text/html'],
    ['text/html, text/html; charset=utf-8', 'text/html; charset=utf-8'],
    ['text/html; charset=windows-1251, text/html', 'text/html; charset=windows-1251'],
    ['text/plain; charset=windows-1251, text/html', 'text/html'],
    ['text/html;charset="a,b", */*', 'text/html;charset="a,b"'],
    ['text/html, nonsense', 'text/html'],
    ['nonsense, more', 'nonsense, more'],
  ])('states the media type of `%s` as the Fetch standard says', (header, type) => {
    expect(readContentType(header)).toBe(type)
  })

  it('does not break pages, their charset, and redirects', async () => {
    await using site = await startSite({
      pages: {
        '/moved': ({ response }) => {
          response.writeHead(301, ['Location', '/page', 'Location', '/page']).end()
        },
        '/page': ({ response }) => {
          const types = ['Content-Type', 'text/html; charset=windows-1251', 'Content-Type', 'text/html']
          response.writeHead(200, types).end(Buffer.from('<main><b>\xcf\xf0\xe8\xe2\xe5\xf2</b></main>', 'latin1'))
        },
      },
    })
    await using http = openFetcher()
    const page = await http.get(site.url('/moved'))
    expect(page).toMatchObject({ url: site.url('/page'), contentType: 'text/html; charset=windows-1251' })
    await using engine = createEngine({ fetcher: 'http', allowPrivateNetworks: true, cache: false })
    expect((await engine.scrape(site.url('/moved'))).markdown).toBe('**Привет**')
    const given = { body: page.body, url: site.url('/page'), contentType: 'text/html; charset=windows-1251, text/html' }
    expect((await engine.parse(given)).markdown).toBe('**Привет**')
  })
})
