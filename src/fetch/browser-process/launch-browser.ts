import { rm } from 'node:fs/promises'
import { homedir, platform, userInfo } from 'node:os'
import type { Browser, BrowserType, CDPSession, LaunchOptions } from 'playwright'
import { messageOf, TrawlError } from '../../errors.js'
import type { BrowserOptions } from './browser-options.js'
import { findBrowser, type FoundBrowser } from './find-browser.js'
import { type Reaper, spawnReaper } from './orphan-reaper.js'
import { loadPlaywright } from './load-playwright.js'
import { createScratchFolder } from './scratch-folder.js'
import { findListenerOwner } from '../network/socket-owner.js'

/** A browser that runs. */
export interface RunningBrowser {
  readonly browser: Browser
  /** Its own name for itself, e.g. `Mozilla/5.0 (X11; Linux x86_64) … HeadlessChrome/147.0.0.0 …`. */
  readonly userAgent: string
  /** E.g. `147.0.7727.0`. */
  readonly version: string
  /** Whether it was started by this process, with the switches that keep its pages to their proxies. */
  readonly isOwn: boolean
  /** The user whose process it is, by its id. @default the user of this process */
  readonly user?: number | undefined
  /** Ends it, or lets go of one that was only connected to. */
  close(): Promise<void>
}

export interface BrowserLauncher {
  /** @throws TrawlError `SCRAPE_NO_BROWSER`, `SCRAPE_BROWSER_ERROR` */
  launch(): Promise<RunningBrowser>
  /** Removes what was unpacked for it. Call it when every browser is closed. */
  close(): Promise<void>
}

const LAUNCH_ARGUMENTS = [
  // Nothing is resolved or reached but by the page's own proxy, whatever a page thinks of.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  // Whether a page is told that it is driven is said for each page: see `openPage`.
  '--disable-blink-features=AutomationControlled',
]

/** Starts browsers. Nothing is loaded or looked for before the first one. */
export function createBrowserLauncher(options: BrowserOptions): BrowserLauncher {
  let found: Promise<FoundBrowser> | undefined

  const find = async (chromium: BrowserType): Promise<FoundBrowser> => {
    // The full browser's path is all that Playwright tells; its headless shell lies beside it.
    const full = chromium.executablePath()
    const shell = full.replace(/chromium-(\d+)([\\/])chrome-/, 'chromium_headless_shell-$1$2chrome-headless-shell-')
    const shellPath = shell.replace(/chrome(\.exe)?$/, 'chrome-headless-shell$1')
    const playwrightPaths = [...(shellPath === full ? [] : [shellPath]), full]
    return await findBrowser({ executablePath: options.executablePath, playwrightPaths })
  }

  return {
    async launch() {
      const chromium = loadPlaywright()
      if (options.cdpEndpoint !== undefined) return await connect(chromium, options.cdpEndpoint)
      found ??= find(chromium)
      // What was not found may be there the next time.
      found.catch(() => (found = undefined))
      return await start(chromium, await found, options.sandbox)
    },
    async close() {
      const { temporaryFolder } = (await found?.catch(() => undefined)) ?? {}
      if (temporaryFolder === undefined) return
      await rm(temporaryFolder, { recursive: true, force: true })
    },
  }
}

async function connect(chromium: BrowserType, cdpEndpoint: string): Promise<RunningBrowser> {
  try {
    const browser = await chromium.connectOverCDP(cdpEndpoint)
    const userAgent = await withBrowserSession(
      browser,
      async (session) => (await session.send('Browser.getVersion')).userAgent,
    )
    const user = await findUser(cdpEndpoint)
    return { browser, userAgent, version: browser.version(), isOwn: false, user, close: () => browser.close() }
  } catch (error) {
    throw browserError(`The browser at \`browser.cdpEndpoint\` (${cdpEndpoint}) cannot be reached`, error)
  }
}

/** A browser beside this process may be another user's: the one that listens for those who drive it. */
async function findUser(cdpEndpoint: string): Promise<number | undefined> {
  const { port, protocol } = new URL(cdpEndpoint)
  return await findListenerOwner(Number(port) || (/^(?:https|wss):$/.test(protocol) ? 443 : 80))
}

async function start(chromium: BrowserType, found: FoundBrowser, sandbox?: boolean): Promise<RunningBrowser> {
  const artifactsDir = await createScratchFolder()
  const launch = (chromiumSandbox: boolean): Promise<Browser> =>
    chromium.launch({
      executablePath: found.executablePath,
      args: LAUNCH_ARGUMENTS,
      artifactsDir,
      // What it leaves in its folder for temporary files goes with ours; the host's environment is none of its business.
      ...(platform() !== 'win32' && {
        env: { TMPDIR: artifactsDir, HOME: homedir(), PATH: '/usr/local/bin:/usr/bin:/bin' },
      }),
      chromiumSandbox,
      headless: true,
      // Signals are the host's.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    } satisfies LaunchOptions)
  let keeper: Reaper | undefined
  let browser: Browser | undefined
  const close = async (): Promise<void> => {
    await browser?.close().catch(() => undefined)
    keeper?.dismiss()
    await rm(artifactsDir, { recursive: true, force: true })
  }
  try {
    const wanted = sandbox ?? userInfo().uid !== 0
    browser = await launch(wanted).catch((error: unknown) => {
      if (sandbox === true || !wanted) throw error
      return launch(false)
    })
    const { userAgent, pid, folders } = await withBrowserSession(browser, describe)
    if (pid !== undefined) keeper = spawnReaper(pid, [artifactsDir, ...folders])
    return { browser, userAgent, version: browser.version(), isOwn: true, close }
  } catch (error) {
    await close()
    throw browserError(`The browser ${found.executablePath} does not start`, error)
  }
}

async function withBrowserSession<Answer>(
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

/** A browser's name for itself, its process and the folders that Playwright made for it. */
async function describe(session: CDPSession): Promise<{ userAgent: string; pid?: number; folders: string[] }> {
  const { userAgent } = await session.send('Browser.getVersion')
  const { commandLine } = await session.send('SystemInfo.getInfo')
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const folders = [...commandLine.matchAll(/--user-data-dir=(\S*playwright_chromiumdev_profile-\w+)/g)]
  const pid = processInfo.find(({ type }) => type === 'browser')?.id
  return { userAgent, ...(pid === undefined ? {} : { pid }), folders: folders.map(([, folder = '']) => folder) }
}

/** The first lines of what Playwright says: the rest is the browser's whole command line. */
function browserError(what: string, cause: unknown): TrawlError {
  const [first = '', ...rest] = messageOf(cause).split('\n')
  const stated = rest.find((line) => /error|sandbox|shared librar|no usable/i.test(line))?.trim()
  const why = [first.trim(), stated].filter(Boolean).join(' ').slice(0, 500)
  return new TrawlError('SCRAPE_BROWSER_ERROR', `${what}: ${why}`, { cause })
}
