import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { expect, it } from 'vitest'
import { findBrowser } from '../../../src/features/browser/process/find-browser.js'
import { createBrowserLauncher } from '../../../src/features/browser/process/launch-browser.js'
import { findProcess } from '../../../src/features/browser/process/limit-messages.js'
import { withBrowserSession } from '../../../src/features/browser/process/running-browser.js'

it('a browser that hangs is killed also when a script has started it', async () => {
  const found = await findBrowser({ playwrightPaths: [chromium.executablePath()] })
  const folder = mkdtempSync(join(tmpdir(), 'launch-'))
  const script = join(folder, 'browser')
  writeFileSync(script, `#!/bin/sh\n"${found.executablePath}" "$@"\nexit $?\n`)
  chmodSync(script, 0o755)
  const launcher = createBrowserLauncher({ executablePath: script, maxPages: 1, pagesPerBrowser: 1 })
  const running = await launcher.launch(new AbortController().signal)
  const { processInfo } = await withBrowserSession(running.browser, (session) =>
    session.send('SystemInfo.getProcessInfo'),
  )
  const pid = processInfo.find(({ type }) => type === 'browser')?.id ?? 0
  expect(pid).not.toBe(findProcess(running.browser)?.pid)
  process.kill(pid, 'SIGSTOP')
  await running.close()
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false)
  await launcher.close()
  if (found.temporaryFolder !== undefined) rmSync(found.temporaryFolder, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
