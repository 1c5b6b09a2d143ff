import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { expect, test } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { answer } from '../../kernel/job/crawl-site.js'
import { type Site, startSite } from '../../site/site.js'

/** The service worker of wabac.js, by which ReplayWeb.page shows archives. */
const worker = createRequire(import.meta.url)
  .resolve('@webrecorder/wabac')
  .replace(/index\.js$/, 'sw.js')

const pages = {
  '/': `<!doctype html><title>Harbour</title><link rel="stylesheet" href="/site.css"><main><h1>The harbour</h1>
    <p id="ships">Ships leave in the morning.</p><p id="tide"></p><img src="/flag.svg"><a href="/old">Moved</a></main>
    <script src="/app.js"></script>`,
  '/ferry': '<!doctype html><title>Ferry</title><main><h1>The ferry</h1><p>It leaves at noon.</p></main>',
  '/old': answer({ location: '/ferry' }, '', 301),
  '/site.css': answer({ 'content-type': 'text/css' }, '#ships { color: rgb(1, 2, 3) }'),
  '/app.js': answer(
    { 'content-type': 'text/javascript' },
    `fetch('/tide.json?of=today').then((response) => response.json())
      .then(({ tide }) => { document.getElementById('tide').textContent = 'The tide is ' + tide })`,
  ),
  '/tide.json': answer({ 'content-type': 'application/json' }, '{"tide":"high"}'),
  '/flag.svg': answer(
    { 'content-type': 'image/svg+xml' },
    '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>',
  ),
}

/** Starts the player, gives it an archive, and shows a page of that. */
const playerPage = (name: string, url: string): string => `<!doctype html><title>Player</title>
<body><script type="module">
  const { serviceWorker } = navigator
  await serviceWorker.register('/sw.js')
  const { active } = await serviceWorker.ready
  serviceWorker.addEventListener('message', ({ data }) => {
    if (data.msg_type !== 'collAdded') return
    const frame = document.createElement('iframe')
    frame.src = '/w/made/mp_/${url}'
    document.body.append(frame)
  })
  const file = { sourceUrl: 'http://archive.test/${name}', loadUrl: location.origin + '/archive' }
  active.postMessage({ msg_type: 'addColl', name: 'made', file })
</script>`

/** Serves an archive in parts, as a player asks for it, beside the player. */
async function servePlayer(folder: string, name: string, url: string): Promise<Site> {
  const bytes = await readFile(join(folder, name))
  return startSite({
    pages: {
      '/': playerPage(name, url),
      '/sw.js': answer({ 'content-type': 'text/javascript' }, await readFile(worker, 'utf8')),
      '/archive': ({ request, response }) => {
        const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? 'bytes=0-') ?? []
        const start = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from)
        const end = from === '' || to === '' ? bytes.length : Math.min(bytes.length, Number(to) + 1)
        const range = `bytes ${start}-${end - 1}/${bytes.length}`
        response.writeHead(206, { 'accept-ranges': 'bytes', 'content-range': range, 'content-length': end - start })
        response.end(request.method === 'HEAD' ? undefined : bytes.subarray(start, end))
      },
    },
  })
}

test.each(['site.warc.gz', 'site.wacz'])(
  'a site that was recorded in %s plays in the browser by wabac.js',
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-replayed-elsewhere-'))
    const archive = join(folder, name)
    const browser = await chromium.launch({ executablePath: chromium.executablePath() })
    try {
      let url = ''
      {
        await using site = await startSite({ pages })
        url = site.url('/')
        await using engine = createEngine({ allowPrivateNetworks: true, cache: false, fetcher: 'browser', archive })
        await engine.crawl({ url, limit: 5 }).finished()
        // What it has of the start now is a revisit record: the player shows the newest.
        const { data } = await engine.crawl({ url, limit: 5 }).finished()
        expect(data.map(({ markdown }) => /^# .*/.exec(markdown)?.[0])).toEqual(['# The harbour', '# The ferry'])
      }
      await using player = await servePlayer(folder, name, url)
      const page = await browser.newPage()
      const requested: string[] = []
      page.on('request', (request) => requested.push(request.url()))
      await page.goto(player.url('/'))
      const shown = page.frameLocator('iframe')
      await shown.getByText('The tide is high').waitFor()
      expect(await shown.locator('main').innerText()).toMatch(
        /^The harbour\s+Ships leave in the morning\.\s+The tide is high/,
      )
      const looks = `[getComputedStyle(document.querySelector('#ships')).color, document.images[0].naturalWidth]`
      expect(await page.frames().at(-1)?.evaluate(looks)).toEqual(['rgb(1, 2, 3)', 30])
      await shown.getByText('Moved').click()
      await shown.getByText('It leaves at noon.').waitFor()
      expect(requested.filter((one) => !one.startsWith(player.origin))).toEqual([])
    } finally {
      await browser.close()
      await rm(folder, { recursive: true })
    }
  },
)
