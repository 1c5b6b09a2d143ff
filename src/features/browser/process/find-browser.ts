import { platform } from 'node:os'
import { TrawlError } from '../../../base/errors.js'
import { findPlaywright } from './load-playwright.js'
import { findNpmChromium, isExecutable, type NpmChromium, unpackNpmChromium } from './npm-chromium.js'

/** A browser on this machine. */
export interface FoundBrowser extends NpmChromium {
  /** The origin of the browser, for human readers. */
  readonly origin: 'executablePath' | 'playwright' | 'system' | 'npm'
}

/** Default paths of Chromium and browsers based on it, by platform; those that need the least memory come first. */
const systemPaths: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
    '/opt/google/chrome/chrome',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/local/bin/chromium',
    '/snap/bin/chromium',
    '/usr/bin/microsoft-edge',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
}

/**
 * Advice for errors about a missing browser.
 *
 * @param driver the package that drives browsers here. It installs the version of the browser that it looks for; `npx` with a package
 * that is not installed downloads the newest one, which installs another version
 */
export const howToInstall = (driver: string): string =>
  `install one with \`npx ${driver} install --with-deps --only-shell chromium\`, or \`npm install @sparticuz/chromium\` on ` +
  'Linux without root, or name one with `browser.executablePath`'

interface FindBrowserOptions {
  readonly executablePath?: string
  /** Paths of Playwright's own browsers. */
  readonly playwrightPaths: readonly string[]
}

/**
 * Finds a browser: the configured one, Playwright's own, one of the system, or one installed with npm, in this order. A
 * configured one that is missing is not replaced by another.
 *
 * @throws TrawlError `SCRAPE_NO_BROWSER`
 */
export async function findBrowser({ executablePath, playwrightPaths }: FindBrowserOptions): Promise<FoundBrowser> {
  if (executablePath !== undefined) {
    if (await isExecutable(executablePath)) return { executablePath, origin: 'executablePath' }
    const message = `\`browser.executablePath\` names ${executablePath}, which is not an executable file`
    throw new TrawlError('SCRAPE_NO_BROWSER', message)
  }
  for (const path of playwrightPaths)
    if (await isExecutable(path)) return { executablePath: path, origin: 'playwright' }
  for (const path of systemPaths[platform()] ?? []) {
    if (await isExecutable(path)) return { executablePath: path, origin: 'system' }
  }
  const packageFolder = findNpmChromium()
  if (packageFolder !== undefined) return { ...(await unpackNpmChromium(packageFolder)), origin: 'npm' }
  const advice = howToInstall(findPlaywright() ?? 'playwright-core')
  throw new TrawlError('SCRAPE_NO_BROWSER', `No browser was found on this machine: ${advice}`)
}
