import { expect, it } from 'vitest'
import { openDeadline } from '../../../src/base/concurrency/deadline.js'
import { createPageClock } from '../../../src/base/concurrency/pausable-clock.js'
import { runActions } from '../../../src/features/browser/render/run-actions.js'
import { PageScriptError } from '../../../src/features/browser/page/browser-errors.js'
import type { BrowserPageContext } from '../../../src/features/browser/browser-page.js'
import { startSite } from '../../site/site.js'
import { openBrowser } from './open-browser.js'

/** Presses a key on a page that fails with an error. */
async function pressOn(error: Error): Promise<unknown> {
  const fail = async (): Promise<never> => {
    throw error
  }
  const context = {
    page: { url: () => 'https://a.test/', keyboard: { press: fail } },
    signal: new AbortController().signal,
    takeScreenshot: fail,
  } as unknown as BrowserPageContext
  return await runActions(
    [{ type: 'press', key: 'Enter' }],
    context,
    { maxBytes: 1000, askedUrl: new URL('http://a.test/') },
    createPageClock(),
  )
}

it('an action during which the page navigates fails with a sentence', async () => {
  const error = new Error('Protocol error (Input.dispatchKeyEvent): Cannot find context with specified id')
  await expect(pressOn(error)).rejects.toThrow(
    /^`actions\[0\]` \(press\) failed: the page went to another document meanwhile$/,
  )
})

it('the clock has the name of an action until the screenshot of its failure is taken', async () => {
  const clock = createPageClock()
  const names: unknown[] = []
  const context = {
    page: {
      keyboard: { press: () => Promise.reject(new Error('Timeout 10ms exceeded.')) },
      url: () => 'http://a.test/',
    },
    signal: new AbortController().signal,
    takeScreenshot: async () => void names.push(clock.activity),
  } as unknown as BrowserPageContext
  await runActions(
    [{ type: 'press', key: 'Enter' }],
    context,
    { maxBytes: 1000, askedUrl: new URL('http://a.test/') },
    clock,
  ).catch(() => names.push(clock.activity))
  expect(names).toEqual(['`actions[0]` (press)', undefined])
})

it('an action on which the page throws a long text fails with the start of it', async () => {
  await expect(pressOn(new PageScriptError('x'.repeat(100_000)))).rejects.toThrow(/ failed: x{1000}$/)
})

it('the error of a page whose time is up names the action that had not ended', async () => {
  const page = `<!doctype html><title>t</title><p>b</p>`
  await using site = await startSite({ pages: { '/on': page } })
  await using browser = openBrowser()
  const url = site.url('/on')
  using deadline = openDeadline(url, 20_000)
  const actions = [{ type: 'scroll' as const }, { type: 'wait' as const, milliseconds: 60_000 }]
  const plan = { headers: {}, skipTlsVerification: true, timeoutMs: 20_000 }
  const fetching = browser.fetcher.fetch(
    { url, sourceURL: url, clock: deadline.clock },
    { ...plan, browser: { waitForMs: 0, actions, captures: {}, blockAds: false } },
    deadline.signal,
  )
  await expect(fetching).rejects.toThrow(
    /^The page took longer than its `timeout` of 20000 ms: `actions\[1\]` \(wait\) had not ended$/,
  )
})
