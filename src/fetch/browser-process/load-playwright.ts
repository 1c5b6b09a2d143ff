import type { BrowserType } from 'playwright'
import { TrawlError } from '../../errors.js'
import { isInstalled, loadPackage } from '../../runtime/optional-package.js'

/** Either serves: they drive the same browsers, and differ in what they bring along for tests. */
const packages = ['playwright', 'playwright-core']

/**
 * Loads what drives the browser: 85 MB of memory and a quarter of a second, so only on first use.
 *
 * @throws TrawlError `SCRAPE_NO_BROWSER` where neither package is installed
 */
export function loadPlaywright(): BrowserType {
  const name = packages.find(isInstalled)
  if (name === undefined) {
    const message =
      'The page needs a browser, and the package that drives one is not installed: `npm install playwright-core`, ' +
      'and a Chromium where the machine has none (see "Install a browser" in docs/guides/browser-and-actions.md)'
    throw new TrawlError('SCRAPE_NO_BROWSER', message)
  }
  return (loadPackage(name) as { readonly chromium: BrowserType }).chromium
}
