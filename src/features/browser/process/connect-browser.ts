import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserType } from 'playwright'
import { withTimeout } from '../../../base/concurrency/deadline.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { messageOf, TrawlError } from '../../../base/errors.js'
import { parseUrl } from '../../../base/url.js'
import { findListenerOwner } from '../proxy/socket-owner.js'
import { endBrowser, namesTabs, type RunningBrowser, withBrowserSession } from './running-browser.js'

/** Timeout for a browser to answer; less than the default `timeout` of a page, which would not name the browser. Milliseconds. */
const CONNECT_MS = 25_000
/** Time for which a browser that was connected before is awaited, because it may restart, and the interval. Milliseconds. */
const RESTART_MS = 10_000
const RESTART_POLL_MS = 250

/** Connects to the browser at an address. @throws TrawlError `SCRAPE_BROWSER_ERROR`; the signal's reason */
type BrowserConnector = (chromium: BrowserType, signal: AbortSignal) => Promise<RunningBrowser>

/**
 * Creates a function that connects to the browser at a DevTools address. A browser that was connected before and is gone
 * is awaited for some seconds, once, so that a restart costs no pages.
 */
export function createConnector(cdpEndpoint: string): BrowserConnector {
  let mayRestart = false
  return async (chromium, signal) => {
    const until = performance.now() + RESTART_MS
    for (;;) {
      try {
        const running = await connect(chromium, cdpEndpoint, signal)
        mayRestart = true
        return running
      } catch (error) {
        signal.throwIfAborted()
        mayRestart &&= performance.now() < until
        if (!mayRestart) throw describeFailure(cdpEndpoint, error)
      }
      await sleep(RESTART_POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

async function connect(chromium: BrowserType, cdpEndpoint: string, signal: AbortSignal): Promise<RunningBrowser> {
  // A browser that hangs after it was connected answers nothing.
  using limited = withTimeout(signal, CONNECT_MS, () => new Error(`it did not answer within ${CONNECT_MS} ms`))
  // Recent versions of Playwright end the attempt with the signal, which their types do not have.
  const options: { timeout: number; signal: AbortSignal } = { timeout: CONNECT_MS, signal: limited.signal }
  const connecting = chromium.connectOverCDP(cdpEndpoint, options)
  try {
    const browser = await untilAborted(connecting, limited.signal)
    const asking = withBrowserSession(browser, async (session) => await session.send('Browser.getVersion'))
    const { userAgent, product } = await untilAborted(asking, limited.signal)
    const user = await findUser(cdpEndpoint)
    const close = (): Promise<void> => endBrowser(browser)
    const hasTabs = namesTabs(product)
    return { browser, userAgent, version: browser.version(), hasTabs, isOwn: false, user, close }
  } catch (error) {
    connecting.then((late) => endBrowser(late)).catch(() => undefined)
    throw error
  }
}

/** The user of a connected browser: the owner of the process that listens at its DevTools address. */
async function findUser(cdpEndpoint: string): Promise<number | undefined> {
  const { port, protocol } = new URL(cdpEndpoint)
  return await findListenerOwner(Number(port) || (/^(?:https|wss):$/.test(protocol) ? 443 : 80))
}

function describeFailure(cdpEndpoint: string, error: unknown): TrawlError {
  // The address may have a token of a service, and Playwright's log of the attempt has the whole address.
  const [first = ''] = messageOf(error).split('\n', 1)
  const why = first
    .replace('browserType.connectOverCDP: ', '')
    .replaceAll(/\b(?:http|ws)s?:\/\/\S+/g, (url) => parseUrl(url)?.origin ?? '')
  const { origin } = new URL(cdpEndpoint)
  const message = `The browser at \`browser.cdpEndpoint\` (${origin}) cannot be reached: ${why}`
  return new TrawlError('SCRAPE_BROWSER_ERROR', message)
}
