import { rm, mkdtemp, statfs } from 'node:fs/promises'
import { homedir, platform, userInfo, tmpdir } from 'node:os'
import type { Browser, BrowserType, CDPSession, LaunchOptions } from 'playwright'
import { withTimeout } from '../../../base/concurrency/deadline.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { messageOf, TrawlError } from '../../../base/errors.js'
import type { BrowserOptions } from './browser-options.js'
import { createConnector } from './connect-browser.js'
import { findBrowser, type FoundBrowser } from './find-browser.js'
import { type Reaper, spawnReaper } from './orphan-reaper.js'
import { findProcess, limitMessages } from './limit-messages.js'
import { loadPlaywright } from './load-playwright.js'
import { endBrowser, namesTabs, type RunningBrowser, withBrowserSession } from './running-browser.js'
import { join } from 'node:path'

export interface BrowserLauncher {
  /** @throws TrawlError `SCRAPE_NO_BROWSER`, `SCRAPE_BROWSER_ERROR`; the signal's reason, at once */
  launch(signal: AbortSignal): Promise<RunningBrowser>
  /** Deletes unpacked files. To be called when all browsers are closed. */
  close(): Promise<void>
}

const LAUNCH_ARGUMENTS = [
  // Pages must connect through their proxies only, which also resolve names.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  // A whole browser would request a page again that could not be loaded.
  '--disable-auto-reload',
  // `navigator.webdriver` is set for each page: see `openPage`.
  '--disable-blink-features=AutomationControlled',
  // An undeclared encoding is UTF-8 where Chromium's detection finds no other one: the detection does not return UTF-8.
  // The other settings are those of Playwright, whose switch this one replaces.
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4,defaultTextEncodingName=UTF-8',
]

/** Creates a launcher of browsers. Playwright is loaded and the browser is searched for on the first launch. */
export function createBrowserLauncher(options: BrowserOptions): BrowserLauncher {
  let found: Promise<FoundBrowser> | undefined
  const connect = options.cdpEndpoint === undefined ? undefined : createConnector(options.cdpEndpoint)

  const find = async (chromium: BrowserType): Promise<FoundBrowser> => {
    // Playwright reports the path of the full browser only; its headless shell is in a folder beside it.
    const full = chromium.executablePath()
    const shell = full.replace(/chromium-(\d+)([\\/])chrome-/, 'chromium_headless_shell-$1$2chrome-headless-shell-')
    const shellPath = shell.replace(/chrome(\.exe)?$/, 'chrome-headless-shell$1')
    const playwrightPaths = [...(shellPath === full ? [] : [shellPath]), full]
    return await findBrowser({ executablePath: options.executablePath, playwrightPaths })
  }

  return {
    async launch(signal) {
      const chromium = loadPlaywright()
      if (connect) return await connect(chromium, signal)
      found ??= find(chromium)
      // A browser may be installed before the next attempt.
      found.catch(() => (found = undefined))
      return await start(chromium, await found, options.sandbox, signal)
    },
    async close() {
      const { temporaryFolder } = (await found?.catch(() => undefined)) ?? {}
      if (temporaryFolder === undefined) return
      await rm(temporaryFolder, { recursive: true, force: true })
    },
  }
}

/** Timeout for a browser to start, and again to describe itself: Playwright's own is three minutes. Milliseconds. */
const START_MS = 60_000

async function start(
  chromium: BrowserType,
  found: FoundBrowser,
  sandbox: boolean | undefined,
  signal: AbortSignal,
): Promise<RunningBrowser> {
  const artifactsDir = await createScratchFolder()
  const launch = (chromiumSandbox: boolean): Promise<Browser> => {
    // Recent versions of Playwright end the start with the signal, which their types do not have.
    const options: LaunchOptions & { readonly signal: AbortSignal } = {
      executablePath: found.executablePath,
      args: LAUNCH_ARGUMENTS,
      artifactsDir,
      // Its temporary files are deleted with this folder; the host's environment is not passed on.
      env:
        platform() === 'win32'
          ? undefined
          : { TMPDIR: artifactsDir, HOME: homedir(), PATH: '/usr/local/bin:/usr/bin:/bin' },
      chromiumSandbox,
      headless: true,
      // Playwright's signal handlers would interfere with those of the host process.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: START_MS,
      signal,
    }
    return chromium.launch(options)
  }
  let keeper: Reaper | undefined
  let browser: Browser | undefined
  let pid: number | undefined
  const close = async (): Promise<void> => {
    if (browser) await endBrowser(browser, pid)
    keeper?.dismiss()
    await rm(artifactsDir, { recursive: true, force: true })
  }
  try {
    const wanted = sandbox ?? userInfo().uid !== 0
    browser = await launch(wanted).catch((error: unknown) => {
      // A browser that is slow to start may have a sandbox.
      if (sandbox === true || !wanted || signal.aborted || isTimeout(error)) throw error
      return launch(false)
    })
    limitMessages(browser)
    pid = findProcess(browser)?.pid
    using limited = withTimeout(signal, START_MS, () => new Error(`it did not answer within ${START_MS} ms`))
    const described = await untilAborted(withBrowserSession(browser, describe), limited.signal)
    const { userAgent, hasTabs, folders } = described
    // A browser in a process namespace of its own has another id there, such as 1, which would stand for all processes here.
    pid ??= described.pid
    if (pid !== undefined) keeper = spawnReaper(pid, [artifactsDir, ...folders])
    return { browser, userAgent, version: browser.version(), hasTabs, isOwn: true, close }
  } catch (error) {
    await close()
    signal.throwIfAborted()
    throw browserError(`The browser ${found.executablePath} does not start`, error)
  }
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

/** Facts that a browser states about itself. */
interface Described {
  readonly userAgent: string
  readonly hasTabs: boolean
  readonly pid?: number
  /** The folders that Playwright created for it. */
  readonly folders: readonly string[]
}

async function describe(session: CDPSession): Promise<Described> {
  const { userAgent, product } = await session.send('Browser.getVersion')
  const { commandLine } = await session.send('SystemInfo.getInfo')
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const folders = [...commandLine.matchAll(/--user-data-dir=(\S*playwright_chromiumdev_profile-\w+)/g)]
  const pid = processInfo.find(({ type, id }) => type === 'browser' && id > 1)?.id
  const hasTabs = namesTabs(product)
  return {
    userAgent,
    hasTabs,
    pid,
    folders: folders.map(([, folder = '']) => folder),
  }
}

/** Builds an error from the first lines of Playwright's message, which continues with the browser's command line. */
function browserError(what: string, cause: unknown): TrawlError {
  const [first = '', ...rest] = messageOf(cause).split('\n')
  const stated = rest
    .find((line) => /error|sandbox|shared librar|no usable/i.test(line) && !line.includes('<launching>'))
    ?.trim()
  const why = [first.trim().replace(/^browserType\.launch: /, ''), stated].filter(Boolean).join(' ').slice(0, 500)
  return new TrawlError('SCRAPE_BROWSER_ERROR', `${what}: ${why}`, { cause })
}

/**
 * Minimum free space in shared memory: the pages of a few browsers share it, including screenshots of long pages.
 * Bytes.
 */
const MIN_FREE_BYTES = 2 ** 30
const PREFIX = 'trawl-browser-'

/**
 * Creates a folder for a browser's temporary files: in shared memory if that has room, because most of them are memory
 * shared by the browser's processes, of which each page leaks some. On a disk a browser takes a tenth longer.
 * Containers often have 64 MiB of shared memory, and a page that exhausts it crashes.
 */
export async function createScratchFolder(memory = '/dev/shm'): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(memory)
    if (bavail * bsize >= MIN_FREE_BYTES) return await mkdtemp(join(memory, PREFIX))
  } catch {
    // Shared memory is missing or not accessible.
  }
  return await mkdtemp(join(tmpdir(), PREFIX))
}
