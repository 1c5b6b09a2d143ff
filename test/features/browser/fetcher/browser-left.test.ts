import { EventEmitter } from 'node:events'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { CDPSession } from 'playwright'
import { watchLeftDocuments } from '../../../../src/features/browser/navigation/left-documents.js'
import { createEngine } from '../../../../src/index.js'
import { startSite, type Site } from '../../../site/site.js'
import { type OpenBrowser, openBrowser } from '../open-browser.js'
import type { Pages } from '../../../kernel/job/crawl-site.js'

const html = (body: string, head = ''): string => `<!doctype html><head><title>Page</title>${head}</head><body>${body}`
const toEnd = '<script>location.replace("/end")</script>'
const refresh = '<meta http-equiv="refresh" content="0; url=/end">'
const own = '<a href="/own">own</a>'
const slow: Pages[string] = ({ response }) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).write(html(own, toEnd))
/** Together larger than what the browser keeps. */
const files = Array.from({ length: 8 }, (_, index) => `/file-${index}`)
const filler = '<p>One of many paragraphs.</p>'

describe('a document that a page of the browser leaves by itself', () => {
  let browser: OpenBrowser
  let site: Site | undefined

  beforeAll(() => {
    browser = openBrowser()
  })

  afterEach(async () => {
    await site?.close()
    site = undefined
  })

  afterAll(() => browser.close())

  const open = async (options: Parameters<typeof startSite>[0]): Promise<Site> => (site = await startSite(options))

  const end = html('<p>The end.</p><a href="/of-end">more</a>')

  it.each([
    ['a script in its head', html(own, toEnd), ['/own']],
    ['a script at its end', html(own + toEnd), ['/own']],
    ['`meta`', html(`${own}<a href="/second" rel="nofollow">x</a>`, refresh), ['/own', '/second']],
    ['a script before a long text', html(filler.repeat(4_000) + own, toEnd), ['/own']],
    ['a form', html(`${own}<form action="/end"></form><script>document.forms[0].submit()</script>`), ['/own']],
    ['a second document', html('<a href="/first">x</a><script>location="/go-2"</script>'), ['/first', '/own']],
    [
      'a script after many bytes',
      html(
        `${own}<script>(async () => {
            for (const path of ${JSON.stringify(files)}) await (await fetch(path)).text()
            location = "/end"
          })()</script>`,
      ),
      ['/own'],
    ],
  ])('gives its links: left by %s', async (_, go, paths) => {
    const file = Buffer.alloc(1_500_000, 'x')
    await open({
      pages: {
        '/go': go,
        '/go-2': html(own + toEnd),
        '/end': end,
        ...Object.fromEntries(
          files.map((path): [string, Pages[string]] => [
            path,
            ({ response }) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(file),
          ]),
        ),
      },
    })
    const { url, leftPages = [] } = await browser.get(site?.url('/go') ?? '')
    expect(new URL(url).pathname).toBe('/end')
    expect(leftPages.flatMap(({ links }) => links.map((link) => new URL(link.url).pathname))).toEqual(paths)
    expect(leftPages.map(({ isCut }) => isCut)).toEqual(leftPages.map(() => undefined))
  })

  it('gives the links of a compressed one, in another charset, with its headers', async () => {
    await open({
      pages: {
        '/go': ({ response }) => {
          const source = html(own + toEnd, '<meta name="author" content="J\u00e9">')
          const body = gzipSync(Buffer.from(source, 'latin1'))
          const type = 'text/html; charset=iso-8859-1'
          const sent = { 'content-type': type, 'content-encoding': 'gzip', 'content-length': body.length }
          response.writeHead(200, { ...sent, 'X-Robots-Tag': 'nofollow' }).end(body)
        },
        '/end': end,
      },
    })
    const { leftPages } = await browser.get(site?.url('/go') ?? '')
    expect(leftPages).toMatchObject([{ links: [{ url: site?.url('/own') }], robotsTag: 'nofollow' }])
  })

  it('is cut where it was left before it was received', async () => {
    await open({ pages: { '/slow': slow, '/end': end } })
    const { url, leftPages } = await browser.get(site?.url('/slow') ?? '')
    expect([new URL(url).pathname, leftPages]).toEqual(['/end', [{ links: [], metadata: {}, isCut: true }]])
  })

  it('is none where an action leads on, the page loads itself again, or it is an error', async () => {
    await open({
      pages: {
        '/click': html(`${own}<a id="go" href="/end">end</a>`),
        '/again': ({ request, response }) => {
          const hasCookie = request.headers.cookie !== undefined
          response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'seen=1' })
          response.end(html(own, hasCookie ? '' : '<script>location.reload()</script>'))
        },
        '/error': ({ response }) =>
          void response.writeHead(404, { 'content-type': 'text/html' }).end(html(own + toEnd)),
        '/end': end,
      },
    })
    const clicked = await browser.render(site?.url('/click') ?? '', {
      actions: [{ type: 'click', selector: '#go', all: false }],
    })
    expect([new URL(clicked.url).pathname, clicked.leftPages]).toEqual(['/end', undefined])
    for (const path of ['/again', '/error'])
      expect((await browser.get(site?.url(path) ?? '')).leftPages).toBe(undefined)
  })
})

describe('a crawl in the browser', () => {
  const crawl = async (go: Pages[string]): Promise<{ paths: string[]; warning: string | undefined }> => {
    await using site = await startSite({
      pages: {
        '/': html('<a href="/go">go</a>'),
        '/go': go,
        '/end': html('<p>The end of the way.</p>'),
        '/own': html('<p>A page that one other links to.</p>'),
        '/broken': ({ response }) => response.destroy(),
      },
    })
    await using engine = createEngine({
      allowPrivateNetworks: true,
      fetcher: 'browser',
      threads: 0,
      retry: { maxRetries: 0 },
    })
    const job = engine.crawl({ url: site.url('/'), sitemap: 'skip' })
    const { data, warning } = await job.finished()
    return { paths: data.map(({ metadata }) => new URL(metadata.url).pathname).toSorted(), warning }
  }

  it('follows the links of a document that is left by itself', async () => {
    expect(await crawl(html(own, toEnd))).toEqual({ paths: ['/', '/end', '/own'], warning: undefined })
  })

  it('follows them also where the next document fails', async () => {
    expect((await crawl(html(own, '<script>location="/broken"</script>'))).paths).toEqual(['/', '/own'])
  })

  it('warns where they are not known', async () => {
    const { paths, warning } = await crawl(slow)
    expect(paths).toEqual(['/', '/end'])
    expect(warning).toContain('none of one that a browser left before it was loaded')
  })
})

describe('a source that may be too large', () => {
  const watch = async (headers: Record<string, string>, isReceived: boolean, size = 10): Promise<string[]> => {
    const events = new EventEmitter()
    const sent: string[] = []
    const send = async (name: string): Promise<unknown> => {
      sent.push(name)
      return { body: '', base64Encoded: false }
    }
    const left = watchLeftDocuments(Object.assign(events, { send }) as unknown as CDPSession)
    const request = (requestId: string): unknown =>
      events.emit('Network.requestWillBeSent', {
        requestId,
        type: 'Document',
        frameId: 'main',
        request: { url: requestId },
      })
    request('one')
    events.emit('Network.responseReceived', { requestId: 'one', type: 'Document', response: { headers } })
    events.emit('Network.dataReceived', { requestId: 'one', dataLength: size, encodedDataLength: 10 })
    if (isReceived) events.emit('Network.loadingFinished', { requestId: 'one' })
    request('two')
    await left.settle()
    return sent.slice(1)
  }

  it.each([
    ['a plain one that was left early', {}, false, 10, true],
    ['a compressed one that was left early', { 'Content-Encoding': 'br' }, false, 10, false],
    ['a compressed one with its length', { 'Content-Encoding': 'br', 'Content-Length': '10' }, false, 10, true],
    ['a compressed one that is whole', { 'Content-Encoding': 'br' }, true, 10, true],
    ['a large one', {}, true, 5_000_000, false],
  ])('is not asked for: %s', async (_, headers, isReceived, size, isAsked) => {
    expect(await watch(headers, isReceived, size)).toEqual(isAsked ? ['Network.getResponseBody'] : [])
  })
})
