import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createConnector } from '../../../src/features/browser/process/connect-browser.js'
import { endBrowser } from '../../../src/features/browser/process/running-browser.js'
import { openBrowser } from './open-browser.js'

const { signal } = new AbortController()

/** A browser of Playwright that answers what the connector asks, or nothing. */
const fakeBrowser = (close: () => Promise<void> = async () => undefined) => ({
  newBrowserCDPSession: async () => ({
    send: async () => ({ userAgent: 'agent', product: 'Chrome/1' }),
    detach: async () => undefined,
  }),
  version: () => '1',
  close,
})

/** Playwright's side of a connection: each attempt succeeds or fails as stated. */
function fakeChromium(...isReached: readonly boolean[]) {
  let attempts = 0
  const connectOverCDP = async () => {
    if (isReached[attempts++]) return fakeBrowser()
    throw new Error('connect ECONNREFUSED 127.0.0.1:9')
  }
  return { chromium: { connectOverCDP } as never, attempts: () => attempts }
}

describe('a browser at `browser.cdpEndpoint`', () => {
  it('that was never reached fails at once', async () => {
    const { chromium, attempts } = fakeChromium(false)
    await expect(createConnector('http://127.0.0.1:9')(chromium, signal)).rejects.toMatchObject({
      code: 'SCRAPE_BROWSER_ERROR',
      message: expect.stringContaining('cannot be reached: connect ECONNREFUSED'),
    })
    expect(attempts()).toBe(1)
  })

  it('that was reached before is awaited while it restarts', async () => {
    const { chromium, attempts } = fakeChromium(true, false, false, true)
    const connect = createConnector('http://127.0.0.1:9')
    await connect(chromium, signal)
    expect(await connect(chromium, signal)).toMatchObject({ userAgent: 'agent', isOwn: false })
    expect(attempts()).toBe(4)
  })

  it('that is awaited is given up with the signal', async () => {
    const { chromium } = fakeChromium(true)
    const connect = createConnector('http://127.0.0.1:9')
    await connect(chromium, signal)
    await expect(connect(chromium, AbortSignal.timeout(300))).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it.each(['http', 'ws'])(
    'that does not answer over %s keeps neither `close()` waiting nor a connection',
    async (scheme) => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
        socket.resume()
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const { port } = Object(server.address()) as { port: number }
      const browser = openBrowser({ browser: { cdpEndpoint: `${scheme}://127.0.0.1:${port}/` } })
      const page = browser.get('http://127.0.0.1:9/')
      const failed = expect(page).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
      await expect.poll(() => sockets.size, { timeout: 10_000 }).toBe(1)
      const startedAtMs = performance.now()
      await browser.close()
      // Playwright's own limit is 30 seconds.
      expect(performance.now() - startedAtMs).toBeLessThan(10_000)
      await failed
      await expect.poll(() => sockets.size, { timeout: 10_000 }).toBe(0)
      server.close()
    },
  )
})

describe('a browser that hangs', () => {
  const never = (): Promise<void> => new Promise(() => undefined)

  it('is killed when it does not close', async () => {
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
    const exit = once(child, 'exit')
    const close = async (): Promise<void> => void (await exit)
    await endBrowser(fakeBrowser(close) as never, child.pid)
    expect(await exit).toEqual([null, 'SIGKILL'])
  })

  it('is left alone when it is not of this process', async () => {
    await expect(endBrowser(fakeBrowser(never) as never)).resolves.toBeUndefined()
  })
})
