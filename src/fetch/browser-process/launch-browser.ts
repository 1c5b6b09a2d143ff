import { rm } from 'node:fs/promises'
import { homedir, platform, userInfo } from 'node:os'
import type { Browser, BrowserType, CDPSession, LaunchOptions } from 'playwright'
import { messageOf, TrawlError } from '../../errors.js'
import { parseUrl } from '../../url.js'
import type { BrowserOptions } from './browser-options.js'
import { findBrowser, type FoundBrowser } from './find-browser.js'
import { type Reaper, spawnReaper } from './orphan-reaper.js'
import { limitMessages } from './limit-messages.js'
import { loadPlaywright } from './load-playwright.js'
import { createScratchFolder } from './scratch-folder.js'
import { findListenerOwner } from '../network/socket-owner.js'

/** A running browser. */
export interface RunningBrowser {
  readonly browser: Browser
  /** The browser's user agent, for example `Mozilla/5.0 (X11; Linux x86_64) … HeadlessChrome/147.0.0.0 …`. */
  readonly userAgent: string
  /** For example `147.0.7727.0`. */
  readonly version: string
  /** True when this process started it, with the switches that force its pages through their proxies. */
  readonly isOwn: boolean
  /** User id of the browser's process. @default the user of this process */
  readonly user?: number | undefined
  /** Stops the browser, or disconnects from one that this process did not start. */
  close(): Promise<void>
}

export interface BrowserLauncher {
  /** @throws TrawlError `SCRAPE_NO_BROWSER`, `SCRAPE_BROWSER_ERROR` */
  launch(): Promise<RunningBrowser>
  /** Deletes unpacked files. To be called when all browsers are closed. */
  close(): Promise<void>
}

const LAUNCH_ARGUMENTS = [
  // Pages must connect through their proxies only, which also resolve names.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  // `navigator.webdriver` is set for each page: see `openPage`.
  '--disable-blink-features=AutomationControlled',
  // An undeclared encoding is UTF-8 where Chromium's detection finds no other one: the detection does not return UTF-8.
  // The other settings are those of Playwright, whose switch this one replaces.
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4,defaultTextEncodingName=UTF-8',
]

/** Creates a launcher of browsers. Playwright is loaded and the browser is searched for on the first launch. */
export function createBrowserLauncher(options: BrowserOptions): BrowserLauncher {
  let found: Promise<FoundBrowser> | undefined

  const find = async (chromium: BrowserType): Promise<FoundBrowser> => {
    // Playwright reports the path of the full browser only; its headless shell is in a folder beside it.
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
      // A browser may be installed before the next attempt.
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
    // The address may have a token of a service, and Playwright's log of the attempt has the whole address.
    const [first = ''] = messageOf(error).split('\n', 1)
    const why = first
      .replace('browserType.connectOverCDP: ', '')
      .replaceAll(/\b(?:http|ws)s?:\/\/\S+/g, (url) => parseUrl(url)?.origin ?? '')
    const { origin } = new URL(cdpEndpoint)
    throw new TrawlError(
      'SCRAPE_BROWSER_ERROR',
      `The browser at \`browser.cdpEndpoint\` (${origin}) cannot be reached: ${why}`,
    )
  }
}

/** The user of a connected browser: the owner of the process that listens at its DevTools address. */
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
      // Its temporary files are deleted with this folder; the host's environment is not passed on.
      ...(platform() !== 'win32' && {
        env: { TMPDIR: artifactsDir, HOME: homedir(), PATH: '/usr/local/bin:/usr/bin:/bin' },
      }),
      chromiumSandbox,
      headless: true,
      // Playwright's signal handlers would interfere with those of the host process.
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
    limitMessages(browser)
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

/** Reads the user agent, the process id and the folders that Playwright created for it. */
async function describe(session: CDPSession): Promise<{ userAgent: string; pid?: number; folders: string[] }> {
  const { userAgent } = await session.send('Browser.getVersion')
  const { commandLine } = await session.send('SystemInfo.getInfo')
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const folders = [...commandLine.matchAll(/--user-data-dir=(\S*playwright_chromiumdev_profile-\w+)/g)]
  const pid = processInfo.find(({ type }) => type === 'browser')?.id
  return { userAgent, ...(pid === undefined ? {} : { pid }), folders: folders.map(([, folder = '']) => folder) }
}

/** Builds an error from the first lines of Playwright's message, which continues with the browser's command line. */
function browserError(what: string, cause: unknown): TrawlError {
  const [first = '', ...rest] = messageOf(cause).split('\n')
  const stated = rest.find((line) => /error|sandbox|shared librar|no usable/i.test(line))?.trim()
  const why = [first.trim(), stated].filter(Boolean).join(' ').slice(0, 500)
  return new TrawlError('SCRAPE_BROWSER_ERROR', `${what}: ${why}`, { cause })
}
