import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createEngine, memoryProfiles, type Engine, type EngineConfig } from '../../../src/index.js'
import { htmlPage, sendPage, type Exchange } from '../../site/exchange.js'
import { startSite, type Site, type SiteOptions } from '../../site/site.js'

const prose = '<p>The words that a reader came for, which no other page of the site has in this order.</p>'

let site: Site
const engines: Engine[] = []

async function open(pages: NonNullable<SiteOptions['pages']>): Promise<void> {
  site = await startSite({ pages })
}

function start(config: EngineConfig = {}): Engine {
  const engine = createEngine({ allowPrivateNetworks: true, threads: 0, retry: { maxRetries: 0 }, ...config })
  engines.push(engine)
  return engine
}

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close()
  await site.close()
})

/** Gives each visitor a cookie, and says which it came with. */
const counter = (exchange: Exchange): void => {
  const seen = Number(/visits=(\d+)/.exec(exchange.request.headers.cookie ?? '')?.[1] ?? 0)
  exchange.response.setHeader('set-cookie', `visits=${seen + 1}; Max-Age=3600; Path=/; HttpOnly`)
  sendPage(exchange, htmlPage('Counter', `${prose}<p>VISIT ${seen + 1}</p>`))
}

/** Keeps a note in local storage and in a database, and shows what was there before. */
const notes = htmlPage(
  'Notes',
  `${prose}<p id="out"></p><script>
    const before = localStorage.note ?? 'none'
    const request = indexedDB.open('notes', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('kept')
    request.onsuccess = () => {
      const store = request.result.transaction('kept', 'readwrite').objectStore('kept')
      const get = store.get('note')
      get.onsuccess = () => {
        out.textContent = 'LOCAL ' + before + ' DATABASE ' + (get.result ?? 'none')
        store.put('kept', 'note')
        localStorage.note = 'kept'
      }
    }
  </script>`,
)

const visit = async (engine: Engine, path: string, profile: { name: string; saveChanges?: boolean }) =>
  (await engine.scrape(site.url(path), { profile })).markdown?.match(/VISIT \d+|LOCAL.*/)?.[0]

/** Waits for the end of the page's transaction, which a whole browser takes longer for. */
const untilFilled = [{ type: 'wait' as const, selector: '#out:not(:empty)' }]

describe('a profile in the browser', () => {
  it('keeps cookies, local storage and databases under its name', async () => {
    await open({ '/count': counter, '/notes': notes })
    const engine = start()
    expect(await visit(engine, '/notes', { name: 'a' })).toBe('LOCAL none DATABASE none')
    expect(await visit(engine, '/notes', { name: 'a' })).toBe('LOCAL kept DATABASE kept')
    expect(await visit(engine, '/notes', { name: 'b' })).toBe('LOCAL none DATABASE none')
    expect(await visit(engine, '/count', { name: 'a' })).toBe('VISIT 1')
    expect(await visit(engine, '/count', { name: 'a' })).toBe('VISIT 2')
    expect(await visit(engine, '/notes', { name: 'a' })).toBe('LOCAL kept DATABASE kept')
  })

  it('is only read with `saveChanges: false`', async () => {
    await open({ '/count': counter })
    const engine = start()
    expect(await visit(engine, '/count', { name: 'a' })).toBe('VISIT 1')
    expect(await visit(engine, '/count', { name: 'a', saveChanges: false })).toBe('VISIT 2')
    expect(await visit(engine, '/count', { name: 'a', saveChanges: false })).toBe('VISIT 2')
    expect(await visit(engine, '/count', { name: 'a' })).toBe('VISIT 2')
  })

  it('shares its cookies with HTTP in both directions, including redirects and files', async () => {
    const file = (exchange: Exchange): void =>
      void exchange.response
        .writeHead(200, { 'content-type': 'text/plain', 'set-cookie': 'file=1; Path=/' })
        .end(`FILE ${exchange.request.headers.cookie}`)
    await open({ '/count': counter, '/file.txt': file })
    const profiles = memoryProfiles()
    const browser = start({ profiles })
    const http = start({ profiles, fetcher: 'http' })
    expect(await visit(browser, '/count', { name: 'a' })).toBe('VISIT 1')
    expect(await visit(http, '/count', { name: 'a' })).toBe('VISIT 2')
    expect(await visit(browser, '/count', { name: 'a' })).toBe('VISIT 3')
    const { markdown } = await browser.scrape(site.url('/file.txt'), { profile: { name: 'a' } })
    expect(markdown).toContain('visits=3')
    await http.scrape(site.url(`/set-cookie?set=${encodeURIComponent('hop=1; Path=/')}&to=/count`), {
      profile: { name: 'a' },
    })
    await visit(browser, '/count', { name: 'a' })
    expect(site.requests.at(-1)?.headers.cookie?.split('; ').toSorted()).toEqual(['file=1', 'hop=1', 'visits=4'])
  })

  // What repeats itself is small on the disk, and large when it is read.
  it.each(['"x".repeat(1e6)', 'Array.from({ length: 4e5 }, () => Math.random().toString(36)).join("").slice(0, 1e6)'])(
    'keeps the earlier databases of a site, with a warning, if a page overfills them (%s)',
    async (value) => {
      const fill = `<p id="out"></p><script>
        localStorage.more = 'kept'
        const request = indexedDB.open('large', 1)
        request.onupgradeneeded = () => request.result.createObjectStore('kept', { autoIncrement: true })
        request.onsuccess = () => {
          const value = ${value}
          const writing = request.result.transaction('kept', 'readwrite')
          for (let at = 0; at < 30; at++) writing.objectStore('kept').add({ at, value })
          writing.oncomplete = () => (out.textContent = 'FILLED')
        }
      </script>`
      await open({ '/notes': notes, '/fill': htmlPage('Fill', `${prose}${fill}`) })
      const profiles = memoryProfiles()
      const engine = start({ profiles })
      expect(await visit(engine, '/notes', { name: 'a' })).toBe('LOCAL none DATABASE none')
      const filled = await engine.scrape(site.url('/fill'), { profile: { name: 'a' }, actions: untilFilled })
      expect(filled.markdown).toContain('FILLED')
      expect(filled.warning).toContain(
        `The storage of \`${site.origin}\` was not saved in the profile: it is larger than 4 MiB`,
      )
      const kept = JSON.stringify(await profiles.read('a', new AbortController().signal))
      expect(kept.length).toBeLessThan(10_000)
      expect(kept).toContain('"more"')
      expect(await visit(engine, '/notes', { name: 'a' })).toBe('LOCAL kept DATABASE kept')
    },
  )

  // The first grows without end where references are followed, the second to 2 GiB. The third may overflow the stack.
  it.each([
    ['contains itself', 'value.push(value)'],
    ['is short, and very long as text', 'for (let at = 0; at < 30; at++) value = [value, value]'],
    ['is nested deeply', 'for (let at = 0; at < 900; at++) value = [value]'],
  ])('keeps the page and the earlier databases of a site if a value %s', async (_, change) => {
    const fill = `<p id="out"></p><script>
      const request = indexedDB.open('odd', 1)
      request.onupgradeneeded = () => request.result.createObjectStore('kept')
      request.onsuccess = () => {
        let value = ['text']
        ${change}
        const writing = request.result.transaction('kept', 'readwrite')
        writing.objectStore('kept').add(value, 'odd')
        writing.oncomplete = () => (out.textContent = 'FILLED')
      }
    </script>`
    await open({ '/notes': notes, '/fill': htmlPage('Fill', `${prose}${fill}`) })
    const engine = start()
    expect(await visit(engine, '/notes', { name: 'a' })).toBe('LOCAL none DATABASE none')
    const filled = await engine.scrape(site.url('/fill'), { profile: { name: 'a' }, actions: untilFilled })
    expect(filled.markdown).toContain('FILLED')
    expect(filled.warning).toContain(`The storage of \`${site.origin}\` was not saved in the profile`)
    expect(await visit(engine, '/notes', { name: 'a' })).toBe('LOCAL kept DATABASE kept')
  })

  it('gives a page all but the databases if the browser refuses these, and keeps what the page makes', async () => {
    // The driver writes a file as an object without properties, which has no key then.
    const files = `<p id="out"></p><script>
      localStorage.note = 'kept'
      const request = indexedDB.open('files', 1)
      request.onupgradeneeded = () => request.result.createObjectStore('kept', { keyPath: 'name' })
      request.onsuccess = () => {
        const writing = request.result.transaction('kept', 'readwrite')
        writing.objectStore('kept').add(new File(['text'], 'note.txt'))
        writing.oncomplete = () => (out.textContent = 'FILLED')
      }
    </script>`
    await open({ '/notes': notes, '/files': htmlPage('Files', `${prose}${files}`) })
    const engine = start()
    const filled = await engine.scrape(site.url('/files'), { profile: { name: 'a' } })
    expect(filled.markdown).toContain('FILLED')
    const next = await engine.scrape(site.url('/notes'), { profile: { name: 'a' } })
    expect(next.markdown).toContain('LOCAL kept DATABASE none')
    expect(next.warning).toContain('without the databases of its profile')
    expect(await visit(engine, '/notes', { name: 'a' })).toBe('LOCAL kept DATABASE kept')
  })

  it('keeps all but the databases of a site that has one without a name', async () => {
    const unnamed = `<p id="out"></p><script>
      localStorage.note = 'kept'
      indexedDB.open('', 1).onsuccess = () => (out.textContent = 'FILLED')
    </script>`
    await open({ '/notes': notes, '/unnamed': htmlPage('Unnamed', `${prose}${unnamed}`) })
    const engine = start()
    const filled = await engine.scrape(site.url('/unnamed'), { profile: { name: 'a' } })
    expect(filled.markdown).toContain('FILLED')
    expect(await visit(engine, '/notes', { name: 'a' })).toBe('LOCAL kept DATABASE none')
  })

  it('says so if the browser refuses it', async () => {
    await open({ '/notes': notes })
    const origins = [{ origin: 'no origin', localStorage: [{ name: 'a', value: 'b' }] }]
    const profiles = { read: async () => ({ cookies: [], origins }), save: async () => undefined }
    const refused = start({ profiles, fetcher: 'browser' }).scrape(site.url('/notes'), { profile: { name: 'a' } })
    await expect(refused).rejects.toMatchObject({ code: 'SCRAPE_PROFILE_ERROR' })
  })

  it('keeps databases of a few MiB', async () => {
    const fill = notes.replace(
      "store.put('kept', 'note')",
      "store.put('kept', 'note'); store.put('y'.repeat(2e6), 'more')",
    )
    await open({ '/notes': fill })
    const engine = start()
    expect(await visit(engine, '/notes', { name: 'a' })).toBe('LOCAL none DATABASE none')
    expect(await visit(engine, '/notes', { name: 'a' })).toBe('LOCAL kept DATABASE kept')
  })

  it('does not fail a page because of a cookie that cannot be sent', async () => {
    await open({ '/count': counter })
    const cookie = {
      domain: '127.0.0.1',
      path: '/',
      expires: -1,
      httpOnly: false,
      secure: false,
      sameSite: 'Lax',
    } as const
    const cookies = ['a\u0001', 'b', 'visits'].map((name) => ({ ...cookie, name, value: name === 'b' ? '\n' : '4' }))
    const profiles = { read: async () => ({ cookies, origins: [] }), save: async () => undefined }
    for (const fetcher of ['http', 'browser'] as const) {
      const document = await start({ profiles, fetcher }).scrape(site.url('/count'), { profile: { name: 'a' } })
      expect(document.markdown).toContain('VISIT 5')
      expect(document.warning).toBe('Cookies that a browser does not accept were skipped: "a\\u0001", "b".')
    }
    const headers = { cookie: '__Host-a=1; visits=6' }
    const refused = await start({ fetcher: 'browser' }).scrape(site.url('/count'), { headers })
    expect(refused.markdown).toContain('VISIT 7')
    expect(refused.warning).toContain('__Host-a')
  })

  it('makes its pages bypass the cache', async () => {
    await open({ '/count': counter })
    const engine = start({ fetcher: 'http' })
    await visit(engine, '/count', { name: 'a' })
    expect((await engine.scrape(site.url('/count'))).metadata.cacheState).toBe('miss')
    expect(await visit(engine, '/count', { name: 'a' })).toBe('VISIT 2')
  })

  it('is used with its cookies only, with a warning, if there is no browser', async () => {
    await open({ '/count': counter })
    const engine = start({ browser: { executablePath: '/no/such/browser' } })
    const document = await engine.scrape(site.url('/count'), { profile: { name: 'a' } })
    expect(document.warning).toMatch(/^A browser is preferred because `profile` is the storage of a browser/)
    expect(await visit(engine, '/count', { name: 'a' })).toBe('VISIT 2')
  })
})

it('a folder of profiles is shared by successive engines', async () => {
  await open({ '/count': counter })
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  try {
    for (const expected of ['VISIT 1', 'VISIT 2']) {
      const engine = start({ profiles: folder, fetcher: 'http' })
      expect(await visit(engine, '/count', { name: 'a' })).toBe(expected)
      await engine.close()
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('a job of many pages loses no cookie of its profile', async () => {
  const paths = Array.from({ length: 20 }, (_, n) => `/${n}`)
  const own = (exchange: Exchange): void => {
    exchange.response.setHeader('set-cookie', `c${exchange.url.pathname.slice(1)}=1; Path=/`)
    sendPage(exchange, htmlPage('Page', prose))
  }
  await open({ ...Object.fromEntries(paths.map((path) => [path, own])), '/count': counter })
  const engine = start({ fetcher: 'http' })
  await engine.batchScrape({ urls: paths.map((path) => site.url(path)), profile: { name: 'a' } }).finished()
  await visit(engine, '/count', { name: 'a' })
  expect(site.requests.at(-1)?.headers.cookie?.split('; ')).toHaveLength(20)
})

it('a profile that cannot be saved gives a warning, and one that cannot be read fails the page', async () => {
  await open({ '/count': counter })
  const fail = async (): Promise<never> => {
    throw new Error('the disk is full')
  }
  const unsaved = start({ fetcher: 'http', profiles: { read: async () => undefined, save: fail } })
  expect((await unsaved.scrape(site.url('/count'), { profile: { name: 'a' } })).warning).toBe(
    'The changes of the profile `a` could not be saved: the disk is full.',
  )
  const unread = start({ fetcher: 'http', profiles: { read: fail, save: fail } })
  await expect(unread.scrape(site.url('/count'), { profile: { name: 'a' } })).rejects.toThrow('the disk is full')
})
