import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findBrowser, howToInstall } from '../../../src/features/browser/process/find-browser.js'

it('findBrowser finds the browser that this repository installs', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const { executablePath, origin } = await findBrowser({ playwrightPaths: [] })
  expect(origin === 'npm' ? executablePath.startsWith(root) : origin === 'system').toBe(true)
})

it('howToInstall names the package that is installed, because another one installs another version of the browser', () => {
  expect(howToInstall('playwright-core')).toContain('`npx playwright-core install --with-deps --only-shell chromium`')
  expect(howToInstall('playwright')).toContain('`npx playwright install --with-deps --only-shell chromium`')
})
