import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../../src/index.js'
import { startSite } from '../../../site/site.js'

const engine = createEngine({ allowPrivateNetworks: true, cache: false, fetcher: 'browser', retry: { maxRetries: 0 } })
afterAll(() => engine.close())

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** Sends the head of a page, which is ASCII, a moment before the rest: the browser detects encodings in what comes first. */
async function sendLate(response: ServerResponse, body: Buffer): Promise<void> {
  const at = body.indexOf('<p>')
  response.write(body.subarray(0, at))
  await sleep(300)
  response.end(body.subarray(at))
}

async function scrape(body: Buffer, contentType = 'text/html', isLate = false) {
  await using site = await startSite({
    pages: {
      '/': ({ response }) => {
        response.writeHead(200, { 'content-type': contentType })
        if (isLate) void sendLate(response, body)
        else response.end(body)
      },
    },
  })
  const formats = ['markdown', 'html', 'rawHtml', 'links'] as const
  const page = await engine.scrape(site.url('/'), { formats: [...formats], onlyMainContent: false })
  return { ...page, links: page.links?.map((link) => link.replace(site.url('/'), '/')) }
}

const script = String.raw`<script>document.body.dataset.charset = document.characterSet; document.body.append('Skript: \u00e4 Stra\u00dfe \u65e5\u672c \ud83d\ude00')</script>`

describe('a page that does not declare its encoding', () => {
  it.each([
    ['in its first bytes', '<title>Grüße à – 日本</title>', false],
    ['after its first bytes', '<title>Greetings</title>', true],
  ])('is read as UTF-8 where its bytes are UTF-8, with letters %s', async (_where, title, isLate) => {
    const text = 'Grüße “à propos”\u00a0– 日本語 😀 &amp; &nbsp;&lt;ä&gt;'
    const body = `<!doctype html>${title}<p>${text}</p><a href="/straße?q=grün" title="ö">ö</a>${script}`
    const { rawHtml, html, markdown, links, metadata } = await scrape(Buffer.from(body), 'text/html', isLate)
    expect(rawHtml).toContain(`<p>${text.replace('\u00a0', '&nbsp;')}</p><a href="/straße?q=grün" title="ö">ö</a>`)
    expect(rawHtml).toContain('Skript: ä Straße 日本 😀')
    expect(html).toContain('“à propos”')
    // The page's scripts and pictures of the page agree.
    expect(rawHtml).toContain(`data-charset="UTF-8"`)
    expect(markdown).toMatch(/Grüße “à propos”.– 日本語 😀/)
    expect(markdown).toContain('Skript: ä Straße 日本 😀')
    expect(links).toEqual([`/${encodeURI('straße?q=grün')}`])
    expect(metadata.title).toBe(/>(.*)</.exec(title)?.[1])
  })

  it.each([
    ['in its first bytes', false],
    ['after its first bytes', true],
  ])('is read as windows-1252 where its bytes are no UTF-8, with letters %s', async (_where, isLate) => {
    const body = latin1(
      `<!doctype html><title>Greetings</title><p>Gr\xfc\xdfe \x96 \x93Spa\xdf\x94, 3 \x80, \xa9 caf\xe9</p>${script}`,
    )
    const { rawHtml, markdown } = await scrape(body, 'text/html', isLate)
    expect(rawHtml).toContain('<p>Grüße – “Spaß”, 3 €, © café</p>')
    expect(markdown).toContain('Skript: ä Straße 日本 😀')
  })
})

describe('a page that declares windows-1252', () => {
  it.each([
    ['header', '', 'text/html; charset=windows-1252'],
    ['meta element', '<meta charset=iso-8859-1>', 'text/html'],
    ['meta element of the old kind', '<meta http-equiv=Content-Type content="text/html; charset=latin1">', 'text/html'],
  ])('is read so, whatever its bytes are: %s', async (_how, meta, contentType) => {
    const real = await scrape(latin1(`<!doctype html>${meta}<title>t</title><p>Gr\xfc\xdfe</p>`), contentType)
    expect(real.rawHtml).toContain('<p>Grüße</p>')
    const other = await scrape(Buffer.from(`<!doctype html>${meta}<title>t</title><p>Grüße</p>`), contentType)
    expect(other.rawHtml).toContain('<p>GrÃ¼ÃŸe</p>')
  })
})
