import type { BrowserType } from 'playwright'
import { TrawlError } from '../../../base/errors.js'
import { isInstalled, loadPackage } from '../../../base/runtime/optional-package.js'

/** Packages with the same API for browsers, and the same command that installs them. */
const packages = ['playwright', 'playwright-core']

/** Returns the name of the package that is installed. */
export const findPlaywright = (): string | undefined => packages.find(isInstalled)

/**
 * Loads Playwright. It takes 85 MB of memory and a quarter of a second, hence on first use only.
 *
 * @throws TrawlError `SCRAPE_NO_BROWSER` when neither package is installed
 */
export function loadPlaywright(): BrowserType {
  const name = findPlaywright()
  if (name === undefined) {
    const message =
      'The page needs a browser, and the package that drives one is not installed: `npm install playwright-core`, ' +
      'and a Chromium where the machine has none (see "Install a browser" in docs/guides/browser-and-actions.md)'
    throw new TrawlError('SCRAPE_NO_BROWSER', message)
  }
  return (loadPackage(name) as { readonly chromium: BrowserType }).chromium
}
