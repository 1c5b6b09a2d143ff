import { setTimeout as sleep } from 'node:timers/promises'
import { describeAnswer, findShown } from '../navigation/describe-answer.js'
import { detectChallenge } from './detect-challenge.js'
import type { OpenPage } from '../navigation/open-page.js'
import { type SettleOptions, settlePage } from '../navigation/settle-page.js'
import { untilAborted } from '../../concurrency/until-aborted.js'

/** A guard that lets a browser through does so within seconds. Milliseconds. */
const MAX_PASSAGE_MS = 8_000
/** Of what is left to the page, so much may be spent before a guard: other ways are to have their turn. */
const PATIENCE = 0.4
const LOOK_MS = 250
/** What a guard answers is no larger than this. Characters. */
const MAX_LENGTH = 200_000

/** Whether what stands in the window is a guard that may let a browser through. @param url the page's */
export function isGuarded({ page, documents }: OpenPage, url: URL, maxRedirects: number, html: string): boolean {
  if (html.length > MAX_LENGTH) return false
  const answer = findShown(documents, url, page.url(), maxRedirects)
  const shown = describeAnswer(answer, answer.headers(), documents, url)
  return detectChallenge({ ...shown, body: new TextEncoder().encode(html) })?.mayPass ?? false
}

/**
 * Waits before a guard that looks at its visitor for a while and then lets it through by itself. What it asks of a human
 * is not answered: then the guard's page is what stands there at the end.
 *
 * @param url the page's
 * @param leftMs until the page's deadline
 * @returns whether there was a guard and it let the page through
 */
export async function waitForChallenge(
  opened: OpenPage,
  url: URL,
  maxRedirects: number,
  settling: SettleOptions,
  leftMs: number,
): Promise<boolean> {
  const { page } = opened
  const { signal } = settling
  const endMs = performance.now() + Math.min(MAX_PASSAGE_MS, leftMs * PATIENCE)
  const look = async (): Promise<boolean> => {
    try {
      return isGuarded(opened, url, maxRedirects, await untilAborted(page.content(), signal))
    } catch (error) {
      signal.throwIfAborted()
      // A page that goes elsewhere cannot be read at that moment: that is what is waited for.
      if (page.isClosed()) throw error
      return true
    }
  }
  if (!(await look())) return false
  while (performance.now() < endMs) {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    if (await look()) continue
    await settlePage(settling)
    return true
  }
  return false
}
