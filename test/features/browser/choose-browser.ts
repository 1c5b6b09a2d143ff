import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright'
import { findBrowser } from '../../../src/features/browser/process/find-browser.js'
import { findNpmChromium, unpackNpmChromium } from '../../../src/features/browser/process/npm-chromium.js'

/**
 * Chooses the browser of all tests by `TEST_BROWSER`: `npm` (the one of `package.json`, the default), `system`, or a path.
 * trawl and its processes find it where Playwright would have installed its own, so that no test has to name it.
 *
 * @see CONTRIBUTING.md#tests
 */
export async function setup(): Promise<() => Promise<void>> {
  const executablePath = await choose(process.env['TEST_BROWSER'])
  if (executablePath === undefined) return async () => undefined
  const usual = chromium.executablePath()
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-browser-'))
  // `<folder>/chromium-<revision>/…`, which Playwright reads when it is loaded, in each process of the tests.
  const path = join(folder, usual.slice(usual.search(/chromium-\d+[\\/]/)))
  await mkdir(dirname(path), { recursive: true })
  await symlink(executablePath, path)
  process.env['PLAYWRIGHT_BROWSERS_PATH'] = folder
  return () => rm(folder, { recursive: true, force: true })
}

/** @returns undefined for the one that trawl finds by itself, where npm has none for the machine */
async function choose(name = 'npm'): Promise<string | undefined> {
  if (name === 'npm') {
    const packageFolder = findNpmChromium()
    return packageFolder === undefined ? undefined : (await unpackNpmChromium(packageFolder)).executablePath
  }
  if (name !== 'system') return (await findBrowser({ executablePath: name, playwrightPaths: [] })).executablePath
  const { executablePath, origin } = await findBrowser({ playwrightPaths: [] })
  if (origin !== 'system') throw new Error('TEST_BROWSER=system: this machine has no Chromium of the system')
  return executablePath
}
