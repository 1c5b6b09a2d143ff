import { expect, it } from 'vitest'
import { runActions } from '../../src/fetch/browser/run-actions.js'
import { PageScriptError } from '../../src/fetch/browser-page/browser-errors.js'
import type { BrowserPageContext } from '../../src/fetch/browser-page.js'

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
  return await runActions([{ type: 'press', key: 'Enter' }], context, 1000)
}

it('an action during which the page navigates fails with a sentence', async () => {
  const error = new Error('Protocol error (Input.dispatchKeyEvent): Cannot find context with specified id')
  await expect(pressOn(error)).rejects.toThrow(
    /^`actions\[0\]` \(press\) failed: the page went to another document meanwhile$/,
  )
})

it('an action on which the page throws a long text fails with the start of it', async () => {
  await expect(pressOn(new PageScriptError('x'.repeat(100_000)))).rejects.toThrow(/ failed: x{1000}$/)
})
