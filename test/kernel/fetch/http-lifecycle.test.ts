import { spawn } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { TrawlError } from '../../../src/base/errors.js'
import { openDeadline } from '../../../src/base/concurrency/deadline.js'
import type { Dial } from '../../../src/base/network/dial.js'
import { createDirectDial } from '../../../src/base/network/connect.js'
import { createResolver } from '../../../src/base/network/egress.js'
import { startSite } from '../../site/site.js'
import { openFetcher, textOf } from './open-fetcher.js'

const cancelled = new TrawlError('SCRAPE_JOB_CANCELLED', 'stop')

describe('an abort', () => {
  it.each(['/hang', '/slow-headers?ms=60000', '/slow-body?intervalMs=5', '/slow-body?intervalMs=60000', '/endless'])(
    'ends the page at once, with its own reason, and the connection with it: %s',
    async (path) => {
      await using site = await startSite()
      await using http = openFetcher()
      const controller = new AbortController()
      const page = http.get(site.url(path), {}, controller.signal)
      await expect.poll(() => site.requests.length).toBe(1)
      await sleep(20)
      controller.abort(cancelled)
      await expect(page).rejects.toBe(cancelled)
      await expect.poll(() => site.connections.open).toBe(0)
      await sleep(50)
      expect(site.connections.accepted).toBe(1)
    },
  )

  it('ends a DNS look-up that never answers', async () => {
    await using http = openFetcher({ lookup: () => new Promise(() => undefined) })
    const controller = new AbortController()
    const page = http.get('http://public.test/', {}, controller.signal)
    await sleep(10)
    controller.abort(cancelled)
    await expect(page).rejects.toBe(cancelled)
  })

  it('ends a TLS handshake that never answers, and its connection', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await using http = openFetcher()
    const controller = new AbortController()
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const page = http.get(`https://127.0.0.1:${port}/`, {}, controller.signal)
    await expect.poll(() => sockets.length).toBe(1)
    sockets[0]?.resume()
    controller.abort(cancelled)
    await expect(page).rejects.toBe(cancelled)
    await expect.poll(() => sockets[0]?.destroyed).toBe(true)
    await new Promise((resolve) => server.close(resolve))
  })

  it('ends a request that waits for a free connection, and leaves the others alone', async () => {
    await using site = await startSite()
    await using http = openFetcher({ maxConcurrency: 1 })
    const [hanging, waiting] = [new AbortController(), new AbortController()]
    const first = expect(http.get(site.url('/hang'), {}, hanging.signal)).rejects.toBe(cancelled)
    const second = http.get(site.url('/page/second'), {}, waiting.signal)
    const third = http.get(site.url('/page/third'))
    await expect.poll(() => site.requests.length).toBe(1)
    waiting.abort(cancelled)
    await expect(second).rejects.toBe(cancelled)
    hanging.abort(cancelled)
    await first
    expect(textOf(await third)).toContain('third')
    expect(site.requests.map(({ path }) => path)).toEqual(['/hang', '/page/third'])
  })

  it('before the request prevents it from being sent', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    await expect(http.get(site.url('/'), {}, AbortSignal.abort(cancelled))).rejects.toBe(cancelled)
    expect(site.connections.accepted).toBe(0)
  })

  it('stops a redirect that is being followed', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    const controller = new AbortController()
    const page = http.get(site.url('/redirect-to?url=/hang'), {}, controller.signal)
    await expect.poll(() => site.requests.length).toBe(2)
    controller.abort(cancelled)
    await expect(page).rejects.toBe(cancelled)
  })
})

describe('a deadline', () => {
  it('covers a page that is sent byte by byte', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    using deadline = openDeadline(site.url('/slow-body'), 150, undefined)
    await expect(http.get(site.url('/slow-body?intervalMs=20'), {}, deadline.signal)).rejects.toMatchObject({
      code: 'SCRAPE_TIMEOUT',
      message: expect.stringContaining('150 ms'),
    })
  })
})

describe('close()', () => {
  it('fails current and later requests with ENGINE_CLOSED', async () => {
    await using site = await startSite()
    const http = openFetcher()
    const pages = ['/hang', '/slow-body', '/page/a', '/redirect-to?url=/hang'].map((path) => http.get(site.url(path)))
    await expect.poll(() => site.requests.length).toBe(5)
    await pages[2]
    const outcomes = Promise.allSettled(pages)
    await http.close()
    expect((await outcomes).map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'page'))).toEqual([
      'ENGINE_CLOSED',
      'ENGINE_CLOSED',
      'page',
      'ENGINE_CLOSED',
    ])
    await expect(http.get(site.url('/page/b'))).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
    await expect.poll(() => site.connections.open).toBe(0)
  })

  it('fails a request whose connection was opened while the last other one to its host was closed', async () => {
    await using site = await startSite()
    const http = openFetcher()
    const direct = createDirectDial(createResolver({ allowPrivateNetworks: true }))
    let openSecond = (): void => undefined
    const isFirstClosed = new Promise<void>((resolve) => (openSecond = resolve))
    let dials = 0
    const dial: Dial = async (target, signal) => {
      dials += 1
      // The second connection is opened after the first has been closed.
      if (dials > 1) await isFirstClosed
      return await direct(target, signal)
    }
    const plan = { headers: {}, skipTlsVerification: true, timeoutMs: 20_000 }
    const get = (path: string, signal: AbortSignal) => {
      const url = site.url(path)
      const route = { key: 'own', proxy: 'none', dial, report: () => undefined }
      return http.fetcher.fetch({ url, sourceURL: url, route }, plan, signal)
    }
    const controller = new AbortController()
    const left = get('/hang?first', controller.signal)
    await expect.poll(() => site.requests.length).toBe(1)
    const waiting = get('/hang?second', new AbortController().signal)
    await expect.poll(() => dials).toBe(2)
    controller.abort(cancelled)
    await expect(left).rejects.toBe(cancelled)
    await expect.poll(() => site.connections.open).toBe(0)
    openSecond()
    await expect.poll(() => site.requests.length).toBe(2)
    await Promise.all([http.close(), expect(waiting).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })])
  })

  it('leaves a request the reason of its own abort', async () => {
    await using site = await startSite()
    const http = openFetcher()
    const controller = new AbortController()
    const page = http.get(site.url('/hang'), {}, controller.signal)
    await expect.poll(() => site.requests.length).toBe(1)
    controller.abort(cancelled)
    await Promise.all([http.close(), expect(page).rejects.toBe(cancelled)])
  })

  it('can be called twice', async () => {
    const http = openFetcher()
    await http.close()
    await http.close()
  })
})

describe('connections', () => {
  it('are reused', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    for (let i = 0; i < 50; i++) await http.get(site.url(`/page/${i}`))
    expect(site.connections.accepted).toBe(1)
  })

  it('are no more than `maxConcurrency` for 500 pages at once', async () => {
    await using site = await startSite()
    await using http = openFetcher({ maxConcurrency: 20 })
    const pages = await Promise.all(Array.from({ length: 500 }, (_, i) => http.get(site.url(`/page/${i}`))))
    expect(pages.every((page, i) => textOf(page).includes(`Page ${i}<`))).toBe(true)
    expect(site.connections.accepted).toBeLessThanOrEqual(20)
  })

  it('keep no process alive while they idle', async () => {
    // A server in another process, whose ends of the connections are not counted.
    const script = `require('http').createServer((q, r) => r.end('x')).listen(0, function () { console.log(this.address().port) })`
    const server = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const port = Number((await once(server.stdout, 'data')).join(''))
      await using http = openFetcher()
      const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP')).length
      const before = sockets()
      await http.get(`http://127.0.0.1:${port}/`)
      await expect.poll(sockets).toBe(before)
      await http.get(`http://127.0.0.1:${port}/`)
    } finally {
      server.kill()
    }
  })

  it('are as many as concurrent pages if there is no limit', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    const pages = await Promise.all(Array.from({ length: 500 }, (_, i) => http.get(site.url(`/page/${i}`))))
    expect(pages.every(({ statusCode }) => statusCode === 200)).toBe(true)
  })
})

describe('200 pages under one signal', () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  afterEach(() => void process.off('warning', note))

  it('leave no listener on the signal, and no warning', async () => {
    process.on('warning', note)
    await using site = await startSite()
    await using http = openFetcher()
    const { signal } = new AbortController()
    const get = async (path: string) => {
      using deadline = openDeadline(site.url(path), 20_000, signal)
      return http.get(site.url(path), {}, deadline.signal)
    }
    for (let i = 0; i < 170; i++) await get(i % 10 === 0 ? '/redirect/3' : '/gzip')
    await Promise.all(Array.from({ length: 30 }, (_, i) => get(`/page/${i}`)))
    await expect(get('/reset')).rejects.toThrow('ECONNRESET')
    await sleep(0)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    expect(warnings).toEqual([])
  })
})
