import { platform } from 'node:os'
import type { Browser, CDPSession } from 'playwright'
import { withinMs } from '../../../base/concurrency/within-ms.js'

/** A running browser. */
export interface RunningBrowser {
  readonly browser: Browser
  /** The browser's user agent, for example `Mozilla/5.0 (X11; Linux x86_64) … HeadlessChrome/147.0.0.0 …`. */
  readonly userAgent: string
  /** For example `147.0.7727.0`. */
  readonly version: string
  /** True for a browser that has windows, although nobody sees them: it asks each site for the icon of a tab. */
  readonly hasTabs: boolean
  /** True when this process started it, with the switches that force its pages through their proxies. */
  readonly isOwn: boolean
  /** User id of the browser's process. @default the user of this process */
  readonly user?: number
  /** Stops the browser, or disconnects from one that this process did not start. */
  close(): Promise<void>
}

/** Time for a browser to close by itself; Playwright would wait for 30 seconds. Milliseconds. */
const CLOSE_MS = 5_000

/**
 * Closes a browser, or the connection to it. One that hangs is killed, or left alone without its process id. Never rejects.
 *
 * @param pid process id of a browser that leads a process group
 */
export async function endBrowser(browser: Browser, pid?: number): Promise<void> {
  const closing = browser.close().then(
    () => true,
    () => true,
  )
  if (await withinMs(closing, CLOSE_MS)) return
  if (pid === undefined) return
  kill(pid)
  await withinMs(closing, CLOSE_MS)
}

function kill(pid: number): void {
  try {
    // Windows has no process groups.
    process.kill(platform() === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** Tests by the browser's name whether it has tabs: the shell for programs without windows is `HeadlessChrome/147.0.7727.0`. */
export const namesTabs = (product: string): boolean => !product.startsWith('HeadlessChrome/')

/** Asks the browser itself, as opposed to one of its pages. */
export async function withBrowserSession<Answer>(
  browser: Browser,
  question: (session: CDPSession) => Promise<Answer>,
): Promise<Answer> {
  const session = await browser.newBrowserCDPSession()
  try {
    return await question(session)
  } finally {
    await session.detach()
  }
}
