import { execFileSync, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TrawlError } from '../../../../src/base/errors.js'
import { loadPlaywright } from '../../../../src/features/browser/process/load-playwright.js'
import type { Handler } from '../../../site/exchange.js'
import { startSite } from '../../../site/site.js'
import { openBrowser } from '../open-browser.js'
import { textOf } from '../../../kernel/fetch/open-fetcher.js'

/** The temporary folder of this file alone, so that what others leave for a moment is not seen. */
const folder = mkdtempSync(join(tmpdir(), 'browser-lifecycle-'))
const before = process.env['TMPDIR']
beforeAll(() => {
  // When it is loaded, Playwright reads where temporary files are, and the tests of other files connect to browsers with it.
  loadPlaywright()
  process.env['TMPDIR'] = folder
})
afterAll(() => {
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
  rmSync(folder, { recursive: true, force: true })
})

interface Running {
  readonly pid: number
  readonly args: string
}

/** The processes below another one, the way to them included. */
function processesBelow(root: number): Running[] {
  const rows = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  const all = rows.flatMap((row) => {
    const [, pid, parent, stat = '', args = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row) ?? []
    // A zombie is a number in a table, waiting to be read.
    return pid === undefined || stat.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), args }]
  })
  const below = new Set([root])
  for (let size = 0; size !== below.size;) {
    size = below.size
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid)
  }
  return all.filter(({ pid, args }) => pid !== root && below.has(pid) && !args.startsWith('ps '))
}

const browserProcesses = (root = process.pid): Running[] =>
  processesBelow(root).filter(({ args }) => /chrom|headless/i.test(args))

/** Of a browser's processes the one that lives as long as it does. */
const isMain = ({ args }: Running): boolean => !args.includes('--type=') && args.includes('--headless')

/** The folder that the browser below a process was told to use. */
function findScratch(root = process.pid): string {
  const pid = browserProcesses(root).find(isMain)?.pid
  return (
    /(?<=\0TMPDIR=|^TMPDIR=)[^\0]*trawl-browser-[^\0]*/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[0] ?? ''
  )
}

/** Guards against a hang: a busy machine takes seconds to start a browser. */
const patience = { timeout: 20_000 }

const endless = '<p>Here</p><script>for (;;) {}</script>'
const cancelled = new TrawlError('SCRAPE_JOB_CANCELLED', 'stop')

describe('close()', () => {
  it('leaves no process, folder or listener behind, whatever is in progress', async () => {
    await using site = await startSite({ pages: { '/endless': endless } })
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit', 'uncaughtException', 'unhandledRejection']
    const listeners = () => signals.map((name) => process.listenerCount(name))
    const [processes, heard] = [processesBelow(process.pid).length, listeners()]
    const browser = openBrowser()
    await browser.get(site.url('/page/a'))
    expect(listeners().slice(0, 3)).toEqual(heard.slice(0, 3))
    expect(browserProcesses().length).toBeGreaterThan(1)
    const scratch = findScratch()
    expect(existsSync(scratch)).toBe(true)
    const pages = ['/hang', '/endless', '/slow-body?intervalMs=50'].map((path) => browser.get(site.url(path)))
    const outcomes = Promise.allSettled(pages)
    await expect.poll(() => site.requests.length, patience).toBe(4)
    await browser.close()
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { code: 'ENGINE_CLOSED' } })
    await expect.poll(() => processesBelow(process.pid).length, patience).toBe(processes)
    expect([...readdirSync(folder), existsSync(scratch)]).toEqual([false])
    expect(listeners()).toEqual(heard)
    await expect(browser.get(site.url('/page/b'))).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
    await browser.close()
  })

  it('closes what a page has open whose opening never ends', async () => {
    const proxies = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
    await expect.poll(proxies, patience).toBe(0)
    const never = new Promise<never>(() => undefined)
    await using browser = openBrowser({ owners: { findOwners: async () => undefined, reportsOwners: () => never } })
    const controller = new AbortController()
    const page = browser.get('http://127.0.0.1:9/', {}, controller.signal)
    await expect.poll(proxies, patience).toBe(1)
    controller.abort(cancelled)
    await expect(page).rejects.toBe(cancelled)
    await browser.close()
    await expect.poll(proxies, patience).toBe(0)
    expect(readdirSync(folder)).toEqual([])
  })

  it('is not needed for a process to end', async () => {
    await using site = await startSite()
    const script = `
      import { createEngine } from ${JSON.stringify(new URL('../../../../dist/index.js', import.meta.url).href)}
      const engine = createEngine({ allowPrivateNetworks: true, fetcher: 'browser', threads: 0 })
      const page = await engine.scrape(${JSON.stringify(site.url('/page/a'))})
      console.log(page.markdown)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [[code], text] = await Promise.all([once(child, 'exit'), child.stdout.toArray()])
    expect([code, text.join('')]).toEqual([0, expect.stringContaining('Page a')])
    await expect.poll(() => readdirSync(folder), patience).toEqual([])
  })
})

describe('a host that is killed', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('leaves no process and no folder behind: %s', async (signal) => {
    await using site = await startSite()
    const script = `
      import { createEngine } from ${JSON.stringify(new URL('../../../../dist/index.js', import.meta.url).href)}
      const engine = createEngine({ allowPrivateNetworks: true, fetcher: 'browser', threads: 0 })
      await engine.scrape(${JSON.stringify(site.url('/page/a'))})
      console.log('ready')
      await engine.scrape(${JSON.stringify(site.url('/hang'))})`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exit = once(child, 'exit')
    await once(child.stdout, 'data')
    await expect.poll(() => site.requests.length, patience).toBe(2)
    const left = processesBelow(child.pid ?? 0).map(({ pid }) => pid)
    expect(left.length).toBeGreaterThan(1)
    const scratch = findScratch(child.pid)
    expect(existsSync(scratch)).toBe(true)
    expect(readdirSync(folder).length).toBeGreaterThan(0)
    child.kill(signal)
    await exit
    const isAlive = (pid: number): boolean => {
      try {
        const stat = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
        return !stat.trim().startsWith('Z')
      } catch {
        return false
      }
    }
    await expect.poll(() => left.filter(isAlive), patience).toEqual([])
    await expect.poll(() => [...readdirSync(folder), existsSync(scratch)], patience).toEqual([false])
  })
})

describe('an abort', () => {
  it.each(['/hang', '/slow-body?intervalMs=50', '/busy', '/dialogs'])(
    'ends the page at once, with its own reason: %s',
    async (path) => {
      const dialogs = '<script>for (;;) alert(1)</script>'
      await using site = await startSite({ pages: { '/busy': endless, '/dialogs': dialogs } })
      await using browser = openBrowser({ browser: { maxPages: 1 } })
      const controller = new AbortController()
      const page = browser.get(site.url(path), {}, controller.signal)
      await expect.poll(() => site.requests.length, patience).toBe(1)
      controller.abort(cancelled)
      await expect(page).rejects.toBe(cancelled)
      expect(textOf(await browser.get(site.url('/page/next')))).toContain('Page next')
      await expect.poll(() => site.connections.open, patience).toBe(0)
    },
  )

  it('ends a page that waits for a slot, and no other', async () => {
    await using site = await startSite()
    await using browser = openBrowser({ browser: { maxPages: 1 } })
    const [hanging, waiting] = [new AbortController(), new AbortController()]
    const first = expect(browser.get(site.url('/hang'), {}, hanging.signal)).rejects.toBe(cancelled)
    await expect.poll(() => site.requests.length, patience).toBe(1)
    const second = browser.get(site.url('/page/second'), {}, waiting.signal)
    const third = browser.get(site.url('/page/third'))
    waiting.abort(cancelled)
    await expect(second).rejects.toBe(cancelled)
    hanging.abort(cancelled)
    await first
    expect(textOf(await third)).toContain('Page third')
    expect(site.requests.map(({ path }) => path)).toEqual(['/hang', '/page/third'])
  })
})

describe('a crash', () => {
  /** Deeper than the browser's own stack: the process of the page dies of it. */
  const deadly = `<script>let at = document.documentElement; for (let i = 0; i < 20000; i++) at = at.appendChild(document.createElement('div')); at.textContent = 'x'; document.documentElement.offsetHeight</script>`

  it('of a page is retried once, and then fails with a code', async () => {
    await using site = await startSite({
      pages: {
        '/once': ({ response, visits }) =>
          void response.writeHead(200, { 'content-type': 'text/html' }).end(visits === 1 ? deadly : '<p>Alive</p>'),
        '/always': deadly,
      },
    })
    await using browser = openBrowser()
    expect(textOf(await browser.get(site.url('/once')))).toContain('Alive')
    await expect(browser.get(site.url('/always'))).rejects.toMatchObject({
      code: 'SCRAPE_BROWSER_CRASHED',
      url: site.url('/always'),
      retry: false,
    })
    expect(site.requests.map(({ path }) => path)).toEqual(['/once', '/once', '/always', '/always'])
    expect(textOf(await browser.get(site.url('/page/after')))).toContain('Page after')
  })

  it('of the browser is retried with another browser', async () => {
    await using site = await startSite()
    await using browser = openBrowser()
    await browser.get(site.url('/page/a'))
    const page = browser.get(site.url('/slow-headers?ms=1500'))
    await expect.poll(() => site.requests.length, patience).toBe(2)
    const all = browserProcesses()
    for (const { pid } of all) process.kill(pid, 'SIGKILL')
    expect((await page).statusCode).toBe(200)
    const alive = new Set(browserProcesses().map(({ pid }) => pid))
    expect(all.filter(({ pid }) => alive.has(pid))).toEqual([])
  })

  it('of the browser fails the page that is alone when it crashes again, and no other', async () => {
    const others = ['/one', '/two', '/three']
    let open = 0
    const full = new EventEmitter()
    const answer: Handler = ({ response, visits }) => {
      // Open until the browser crashes for the first time.
      if (visits > 1) response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Alive</p>')
      else if (++open === others.length) full.emit('now')
    }
    const crash: Handler = async ({ visits }) => {
      if (visits === 1 && open < others.length) await once(full, 'now')
      process.kill(
        Math.max(
          ...browserProcesses()
            .filter(isMain)
            .map(({ pid }) => pid),
        ),
        'SIGKILL',
      )
    }
    const pages = Object.fromEntries(others.map((path) => [path, answer]))
    await using site = await startSite({ pages: { ...pages, '/guilty': crash } })
    await using browser = openBrowser()
    const guilty = expect(browser.get(site.url('/guilty'))).rejects.toMatchObject({ code: 'SCRAPE_BROWSER_CRASHED' })
    const texts = await Promise.all(others.map(async (path) => textOf(await browser.get(site.url(path)))))
    for (const text of texts) expect(text).toContain('Alive')
    await guilty
    expect(site.requests.filter(({ path }) => path === '/guilty')).toHaveLength(2)
  })
})

describe('the browser', () => {
  it('is replaced after a number of pages', async () => {
    await using site = await startSite()
    await using browser = openBrowser({ browser: { pagesPerBrowser: 2 } })
    const mains = new Set<number>()
    for (let i = 0; i < 5; i++) {
      await browser.get(site.url(`/page/${i}`))
      const main = browserProcesses().find(isMain)
      if (main) mains.add(main.pid)
    }
    expect(mains.size).toBeGreaterThanOrEqual(2)
    await expect.poll(() => browserProcesses().filter(isMain).length, patience).toBe(1)
  })

  it('has at most `maxPages` pages open', async () => {
    let [open, most] = [0, 0]
    const full = new EventEmitter()
    await using site = await startSite({
      pages: {
        '/count': async ({ response }) => {
          most = Math.max(most, ++open)
          // The first pages wait for each other, and give a fourth one time to come.
          if (open === 3) full.emit('now')
          else if (most < 3) await once(full, 'now')
          await setTimeout(100)
          open -= 1
          response.writeHead(200, { 'content-type': 'text/html' }).end('<p>x</p>')
        },
      },
    })
    await using browser = openBrowser({ browser: { maxPages: 3 } })
    await Promise.all(Array.from({ length: 12 }, (_, i) => browser.get(site.url(`/count?${i}`))))
    expect(most).toBe(3)
  })

  it('is the one at `browser.executablePath`, and never another', async () => {
    await using browser = openBrowser({ browser: { executablePath: '/no/such/browser' } })
    await expect(browser.get('http://127.0.0.1/')).rejects.toMatchObject({
      code: 'SCRAPE_NO_BROWSER',
      message: expect.stringContaining('/no/such/browser'),
    })
    await using script = openBrowser({ browser: { executablePath: '/bin/false' } })
    await expect(script.get('http://127.0.0.1/')).rejects.toMatchObject({ code: 'SCRAPE_BROWSER_ERROR' })
    expect(readdirSync(folder)).toEqual([])
  })

  it('fails if it does not answer at its address', async () => {
    await using browser = openBrowser({ browser: { cdpEndpoint: 'http://127.0.0.1:9' } })
    await expect(browser.get('http://127.0.0.1/')).rejects.toMatchObject({
      code: 'SCRAPE_BROWSER_ERROR',
      message: expect.stringContaining('browser.cdpEndpoint'),
    })
  })
})
