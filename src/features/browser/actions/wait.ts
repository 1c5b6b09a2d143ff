import { setTimeout as sleep } from 'node:timers/promises'
import type { ActionKind } from '../action-kind.js'
import type { WaitAction } from '../../../kernel/fetch/action-options.js'
import type { BrowserPage } from '../browser-page.js'

/** Limit of the wait for an element. Milliseconds. */
const SELECTOR_WAIT_MS = 30_000
/** Time that is kept before the page's deadline, to report an element that is missing. Milliseconds. */
const RESERVE_MS = 1_500

/** Waits for an element, or for a time; with both for the element first, and then for the time. @see docs/compatibility/requests.md#actions */
export const wait: ActionKind<WaitAction> = {
  type: 'wait',
  async run({ page, signal, leftMs }, { milliseconds, selector }) {
    if (selector !== undefined) await waitForElement(page, selector, leftMs)
    if (milliseconds !== undefined) await sleep(milliseconds, undefined, { signal })
  },
}

/** Waits for an element to appear. @throws Error if it does not appear in time */
async function waitForElement(page: BrowserPage, selector: string, leftMs: () => number): Promise<void> {
  const timeout = Math.max(1, Math.min(SELECTOR_WAIT_MS, leftMs() - RESERVE_MS))
  const element = page.locator(selector).first()
  await element.waitFor({ state: 'attached', timeout }).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
    throw new Error(`no element matched \`${selector}\` within ${timeout} ms`)
  })
}
