import { afterAll, describe, expect, it } from 'vitest'
import type { FetchPlan } from '../../../../src/kernel/fetch/fetcher.js'
import { type Handler, sendPage } from '../../../site/exchange.js'
import { type Site, startSite } from '../../../site/site.js'
import { openBrowser } from '../open-browser.js'
import { textOf } from '../../../kernel/fetch/open-fetcher.js'

const browser = openBrowser()
afterAll(() => browser.close())

/** A page that says what its scripts can see of the visitor. */
const mirror = `<!doctype html><meta name="viewport" content="width=device-width"><title>t</title><script>
  document.title = JSON.stringify({
    agent: navigator.userAgent, languages: navigator.languages, language: navigator.language, platform: navigator.platform,
    width: innerWidth, touch: navigator.maxTouchPoints, ratio: devicePixelRatio, cookie: document.cookie,
    locale: Intl.DateTimeFormat().resolvedOptions().locale, zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    hints: navigator.userAgentData?.toJSON(),
  })
</script>`

async function look(site: Site, plan: Partial<FetchPlan> = {}) {
  const page = await browser.get(site.url('/mirror'), plan)
  const title = /<title>(.*?)<\/title>/.exec(textOf(page))?.[1] ?? ''
  const seen = JSON.parse(title.replaceAll('&amp;', '&').replaceAll('&quot;', '"')) as Record<string, unknown>
  return { seen, sent: site.requests.find(({ path }) => path === '/mirror')?.headers ?? {} }
}

const openMirror = () => startSite({ pages: { '/mirror': mirror } })

describe('the visitor', () => {
  it('is a desktop browser that names itself, and reads English', async () => {
    await using site = await openMirror()
    const { seen, sent } = await look(site)
    expect(sent['user-agent']).toMatch(/^Mozilla\/5\.0 .* Chrome\/\d+\.0\.0\.0 Safari\/537\.36 trawl\/0\.1\.0$/)
    expect(sent['accept-language']).toBe('en-US,en;q=0.9')
    expect(sent['sec-ch-ua']).not.toContain('Headless')
    expect(seen).toMatchObject({ agent: sent['user-agent'], languages: ['en-US', 'en'], locale: 'en-US', width: 1280 })
  })

  it('is a phone in every property with `mobile`', async () => {
    await using site = await openMirror()
    const { seen, sent } = await look(site, { emulation: { mobile: true, languages: ['en-US', 'en'] } })
    expect(sent['user-agent']).toMatch(/Android.* Mobile Safari/)
    expect(sent).toMatchObject({ 'sec-ch-ua-mobile': '?1', 'sec-ch-ua-platform': '"Android"' })
    expect(seen).toMatchObject({
      agent: sent['user-agent'],
      width: 412,
      touch: 5,
      hints: { mobile: true, platform: 'Android' },
    })
    expect(seen['ratio']).toBeCloseTo(2.625)
  })

  it.each([false, true])('has the same window size with and without a screenshot (mobile: %s)', async (mobile) => {
    const view = `<!doctype html><meta name="viewport" content="width=device-width"><title>t</title>
      <body style="height: 9000px"><p id="far" style="position: absolute; top: 5000px">far</p><iframe src="/inner"></iframe><script>
      const look = () => {
        const { clientWidth, clientHeight } = document.documentElement
        const { width, height, scale } = visualViewport
        const { x, y } = document.querySelector('p').getBoundingClientRect()
        return { clientWidth, clientHeight, innerWidth, innerHeight, outerWidth, outerHeight, devicePixelRatio, width, height,
          scale, x, y: y + scrollY, screen: [screen.width, screen.height, screen.availWidth, screen.availHeight, screenX, screenY],
          orientation: [screen.orientation.type, screen.orientation.angle], sharp: matchMedia('(min-resolution: 2dppx)').matches }
      }
      new IntersectionObserver(([{ isIntersecting, rootBounds }]) => {
        const frames = []
        requestAnimationFrame(function count() {
          if (frames.push(1) < 9) return requestAnimationFrame(count)
          document.title = JSON.stringify({ ...look(), isIntersecting, root: [rootBounds.width, rootBounds.height] })
        })
      }).observe(document.getElementById('far'))
    </script>`
    await using site = await startSite({ pages: { '/view': view, '/inner': '<p>Inside of a frame' } })
    const plan = { emulation: { mobile, languages: ['en-US'] } }
    const titleOf = (html: string): string => /<title>(.*?)<\/title>/.exec(html)?.[1] ?? ''
    const unseen = textOf(await browser.render(site.url('/view'), { waitForMs: 500 }, plan))
    const seen = textOf(
      await browser.render(site.url('/view'), { waitForMs: 500, actions: [{ type: 'wait', milliseconds: 1 }] }, plan),
    )
    expect(titleOf(unseen)).toContain(mobile ? '412' : '1280')
    expect(titleOf(unseen)).toBe(titleOf(seen))
    expect(unseen).toContain('Inside of a frame')
  })

  it('has the languages and the time zone of the location', async () => {
    await using site = await openMirror()
    const emulation = { mobile: false, languages: ['de-CH', 'fr', 'en'], timeZone: 'Europe/Zurich' }
    const { seen, sent } = await look(site, { emulation })
    expect(sent['accept-language']).toBe('de-CH,fr;q=0.9,en;q=0.8')
    expect(seen).toMatchObject({
      languages: ['de-CH', 'fr', 'en'],
      language: 'de-CH',
      locale: 'de-CH',
      zone: 'Europe/Zurich',
    })
  })

  it('asks for the same languages with every request: of a document, its resources, its frames and its workers', async () => {
    const script =
      (text: string): Handler =>
      ({ response }) =>
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(text)
    const start: Handler = (exchange) => {
      const origin = `http://localhost:${exchange.request.socket.localPort}`
      sendPage(
        exchange,
        `<title>t</title><link rel="stylesheet" href="/style"><img src="/image" alt=""><script src="/script"></script>
        <iframe src="/frame"></iframe><iframe src="${origin}/other-frame"></iframe>`,
      )
    }
    await using site = await startSite({
      pages: {
        '/': start,
        '/script': script(`fetch('/of-script'); new Worker('/worker')`),
        '/worker': script(`fetch('/of-worker')`),
        '/frame': '<p>A frame</p><script>fetch("/of-frame")</script>',
        '/other-frame': '<p>A frame of another site</p><script>fetch("/of-other-frame")</script>',
      },
    })
    const emulation = { mobile: false, languages: ['de-CH', 'fr', 'en'] }
    await browser.render(
      site.url('/'),
      { waitForMs: 1000, actions: [{ type: 'wait', milliseconds: 1 }] },
      { emulation },
    )
    const sent = new Map(site.requests.map(({ path, headers }) => [path, headers['accept-language']]))
    const paths = ['/', '/style', '/image', '/script', '/of-script', '/worker', '/of-worker', '/frame', '/of-frame']
    for (const path of [...paths, '/other-frame', '/of-other-frame'])
      expect([path, sent.get(path)]).toEqual([path, 'de-CH,fr;q=0.9,en;q=0.8'])
  })

  it('has the identity and the cookies of the caller’s headers', async () => {
    await using site = await openMirror()
    const headers = { 'User-Agent': 'mine/1', Cookie: 'a=1; b=2', 'X-Own': 'yes', Authorization: 'Bearer t' }
    const { seen, sent } = await look(site, { headers })
    expect(sent).toMatchObject({
      'user-agent': 'mine/1',
      cookie: 'a=1; b=2',
      'x-own': 'yes',
      authorization: 'Bearer t',
    })
    expect(seen).toMatchObject({ agent: 'mine/1', cookie: 'a=1; b=2' })
  })

  it('sends the credentials of the URL to the page, and leaves them out of the result', async () => {
    await using site = await startSite()
    const url = site.url('/auth/me/secret').replace('://', '://me:secret@')
    const page = await browser.get(url)
    expect(textOf(page)).toContain('Welcome')
    expect(page.url).toBe(site.url('/auth/me/secret'))
  })
})

describe('headers', () => {
  it('are sent with every request to the page’s own host, and to no other', async () => {
    await using other = await startSite({
      address: '127.0.0.2',
      pages: { '/x.js': ({ response }) => void response.writeHead(200, { 'access-control-allow-origin': '*' }).end() },
    })
    await using site = await startSite({
      pages: {
        '/': `<script>
          Promise.all([fetch('/json'), fetch('${other.url('/x.js')}'), fetch('/redirect-to?url=${other.url('/x.js?redirected')}').catch(() => 0)])
            .then(() => document.body.append('DONE'))
        </script><img src="${other.url('/binary')}"><iframe src="${other.url('/page/framed')}"></iframe>`,
      },
    })
    const headers = { 'X-Secret': 's', Cookie: 'session=s', Authorization: 'Bearer s' }
    // Pictures are waited for only where somebody looks at the page.
    const page = await browser.render(site.url('/'), { actions: [{ type: 'scrape' }] }, { headers })
    expect(textOf(page)).toContain('DONE')
    const paths = ['/', '/json']
    for (const { path, headers: sent } of site.requests.filter((request) => paths.includes(request.path))) {
      expect(sent, path).toMatchObject({ 'x-secret': 's', cookie: 'session=s', authorization: 'Bearer s' })
    }
    expect(other.requests.length).toBeGreaterThanOrEqual(4)
    for (const { path, headers: sent } of other.requests) {
      expect([sent['x-secret'], sent.cookie, sent.authorization], path).toEqual([undefined, undefined, undefined])
    }
  })

  it('do not follow the page to another host', async () => {
    await using other = await startSite({ address: '127.0.0.2' })
    await using site = await startSite()
    const headers = { 'X-Secret': 's', Cookie: 'session=s' }
    const page = await browser.get(site.url(`/redirect-to?url=${other.url('/page/there')}`), { headers })
    expect(page.url).toBe(other.url('/page/there'))
    expect(site.requests[0]?.headers).toMatchObject({ 'x-secret': 's', cookie: 'session=s' })
    expect(other.requests[0]?.headers).not.toHaveProperty('x-secret')
    expect(other.requests[0]?.headers).not.toHaveProperty('cookie')
  })
})
