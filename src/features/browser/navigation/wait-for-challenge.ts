import { setTimeout as sleep } from 'node:timers/promises'
import { describeResponse, findShownResponse } from './describe-response.js'
import { detectChallenge } from '../../../content/challenge/detect-challenge.js'
import type { OpenPage } from './open-page.js'
import { type SettleOptions, settlePage } from './settle-page.js'
import { pageFunction } from '../injected/page-functions.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'

/** Limit of the wait; a challenge that lets a browser through does so within seconds. Milliseconds. */
const MAX_WAIT_MS = 8_000
/** Maximum share of the page's remaining time for this wait; other strategies need the rest. */
const TIME_SHARE = 0.4
/** Interval at which the page is checked. Milliseconds. */
const POLL_MS = 250
/** Maximum length of a page that is checked, in characters or bytes; challenges are shorter. */
const MAX_LENGTH = 200_000

/** The page that may show a challenge. */
export interface ChallengedPage {
  readonly opened: OpenPage
  /** The URL that was requested, without credentials. */
  readonly url: URL
  readonly maxRedirects: number
}

/**
 * Tests whether a page shows a challenge that may let a browser through.
 *
 * @param body the page's HTML, UTF-8
 */
export function showsPassableChallenge({ opened, url, maxRedirects }: ChallengedPage, body: Uint8Array): boolean {
  if (body.length > MAX_LENGTH) return false
  const answer = findShownResponse(opened, url, maxRedirects)
  const shown = describeResponse(answer, answer.headers(), opened.documents, url)
  return detectChallenge({ ...shown, body })?.mayPass ?? false
}

/**
 * Waits for a challenge that inspects the browser for a while and then loads the page by itself. Captchas are not
 * solved.
 *
 * @param leftMs time until the page's deadline @returns true if there was a challenge and it has let the browser
 * through
 */
export async function waitForChallenge(
  challenged: ChallengedPage,
  settling: SettleOptions,
  leftMs: number,
): Promise<boolean> {
  const { page, world } = challenged.opened
  const { signal } = settling
  const endMs = performance.now() + Math.min(MAX_WAIT_MS, leftMs * TIME_SHARE)
  const showsChallenge = async (): Promise<boolean> => {
    // A longer page is no challenge and stays in the browser.
    const lengths = { maxLength: MAX_LENGTH, maxWhole: MAX_LENGTH }
    const question = { ...lengths, marks: [], isInner: false, url: page.url(), isCharsetKnown: true }
    try {
      const html = await untilAborted(world.call(pageFunction('serializeDocument'), question), signal)
      return typeof html === 'string' && showsPassableChallenge(challenged, new TextEncoder().encode(html))
    } catch (error) {
      signal.throwIfAborted()
      // A page that navigates cannot be read. A challenge that lets the browser through does navigate, so go on
      // waiting.
      if (page.isClosed()) throw error
      return true
    }
  }
  if (!(await showsChallenge())) return false
  while (performance.now() < endMs) {
    await sleep(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    if (await showsChallenge()) continue
    await settlePage(settling)
    return true
  }
  return false
}
