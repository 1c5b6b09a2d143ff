import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Frame, Page } from 'playwright'
import { pageFunction } from '../../injected/page-functions.js'
import { answerExpression } from './consent-page.js'
import { resolvePackage } from '../../runtime/optional-package.js'
import { untilAborted } from '../../concurrency/until-aborted.js'
import { parseJson } from '../../text/parse-json.js'

/** What autoconsent brings along. */
interface Autoconsent {
  readonly script: string
  readonly rules: string
  /** Of banners, as its rules name them. */
  readonly selectors: readonly string[]
}

/** A banner that takes longer to be refused is only taken away. Milliseconds. */
const MAX_ANSWER_MS = 3_000
/** Frames that are asked beside the page itself: some banners stand in one. */
const MAX_FRAMES = 3

/** Banners of wide-spread makers that autoconsent knows in code of its own. */
const ownSelectors: readonly string[] = [
  '#onetrust-consent-sdk',
  '#onetrust-banner-sdk',
  '#CybotCookiebotDialog',
  '#CybotCookiebotDialogBodyUnderlay',
  '#usercentrics-root',
  '#usercentrics-cmp-ui',
  '#didomi-host',
  '.qc-cmp2-container',
  '#truste-consent-track',
  '.truste_box_overlay',
  '.truste_overlay',
  '[id^="sp_message_container"]',
  '#cmpbox',
  '#cmpbox2',
  '.klaro .cookie-notice',
  '.klaro .cookie-modal',
  '#iubenda-cs-banner',
  '.osano-cm-window',
  '.cky-consent-container',
  '.cky-overlay',
  '#termly-code-snippet-support',
  '.fc-consent-root',
  '#tarteaucitronRoot',
  '#_evidon_banner',
]

/** Refuses what pages ask consent for. Nothing is loaded before the first page that asks. */
export class ConsentDismisser {
  #loading: Promise<Autoconsent> | undefined

  /**
   * Answers what a page asks, by the rules of autoconsent, and takes what is left of the question off the page: a reader
   * of its HTML would find it there though nobody sees it.
   *
   * @returns whether there was a question
   * @throws whatever `signal` was aborted with
   */
  async dismiss(page: Page, signal: AbortSignal): Promise<boolean> {
    const { script, rules, selectors } = await untilAborted(this.#load(), signal)
    const count = (remove: boolean): Promise<number> =>
      untilAborted(page.evaluate(pageFunction('findConsent'), { selectors, remove }), signal).catch(() => {
        // The page went elsewhere: what stands there now has not been asked.
        signal.throwIfAborted()
        return 0
      })
    if ((await count(false)) === 0) return false
    if (script !== '') {
      const expression = answerExpression(script, rules, MAX_ANSWER_MS)
      const frames = [page.mainFrame(), ...page.frames().filter(isConsentFrame).slice(0, MAX_FRAMES)]
      await untilAborted(untilAnswered(frames.map((frame) => frame.evaluate(expression))), signal)
    }
    await count(true)
    return true
  }

  #load(): Promise<Autoconsent> {
    // Where a bundler has left its files out, questions are only taken away.
    return (this.#loading ??= load().catch(() => ({ script: '', rules: '[]', selectors: ownSelectors })))
  }
}

/** Until the question is answered in one of the frames, or in none. Never rejects: a frame may go away meanwhile. */
async function untilAnswered(asked: readonly Promise<unknown>[]): Promise<void> {
  const answers = asked.map(async (answer) => {
    if ((await answer) !== true) throw new Error('it was not answered here')
  })
  await Promise.any(answers).catch(() => undefined)
}

const isConsentFrame = (frame: Frame): boolean =>
  frame.parentFrame() !== null && /consent|cookie|privacy|cmp|gdpr/i.test(frame.url())

/** The package has a file for a page, which it does not export. */
async function load(): Promise<Autoconsent> {
  const folder = dirname(resolvePackage('@duckduckgo/autoconsent'))
  const script = await readFile(join(folder, 'autoconsent.playwright.js'), 'utf8')
  const { autoconsent } = parseJson(
    await readFile(resolvePackage('@duckduckgo/autoconsent/rules/rules.json'), 'utf8'),
  ) as {
    autoconsent: readonly { readonly name: string; readonly prehideSelectors?: readonly string[] }[]
  }
  const rules = autoconsent.filter(({ name }) => !name.startsWith('auto_'))
  const selectors = rules.flatMap(({ prehideSelectors = [] }) => prehideSelectors)
  return { script, rules: JSON.stringify(rules), selectors: [...ownSelectors, ...new Set(selectors)] }
}
