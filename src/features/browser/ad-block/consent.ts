import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Frame } from 'playwright'
import { pageFunction } from '../injected/page-functions.js'
import type { ConsentPage } from './request-filter.js'
import { resolvePackage } from '../../../base/runtime/optional-package.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { parseJson } from '../../../base/text/parse-json.js'

/** The script and the rules of autoconsent. */
interface Autoconsent {
  readonly script: string
  readonly rules: string
  /** Selectors of banners in its rules. */
  readonly selectors: readonly string[]
}

/** Timeout for refusing consent; after it, the banner is removed without an answer. Milliseconds. */
const MAX_ANSWER_MS = 3_000
/** Maximum number of frames that are searched besides the main frame, because some banners are inside a frame. */
const MAX_FRAMES = 3

/** Banners of widespread vendors that autoconsent handles in code instead of rules. */
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

/** Refuses consent questions. Nothing is loaded before the first page that needs it. */
export class ConsentDismisser {
  #loading: Promise<Autoconsent> | undefined

  /**
   * Answers a consent question by the rules of autoconsent, and removes the remaining elements of the banner from the
   * page: a hidden banner would still be in the HTML.
   *
   * @returns true if there was a question
   * @throws the reason of `signal` when it is aborted
   */
  async dismiss({ page, world }: ConsentPage, signal: AbortSignal): Promise<boolean> {
    const { script, rules, selectors } = await untilAborted(this.#load(), signal)
    const count = (remove: boolean): Promise<number> =>
      untilAborted(world.call(pageFunction('findConsent'), { selectors, remove }), signal).catch(() => {
        // The page navigated: the new document has not been searched.
        signal.throwIfAborted()
        return 0
      })
    if ((await count(false)) === 0) return false
    if (script !== '') {
      const expression = answerExpression(script, rules, MAX_ANSWER_MS)
      // In the page's own world: the rules call the functions of the vendor's script.
      const frames = [page.mainFrame(), ...page.frames().filter(isConsentFrame).slice(0, MAX_FRAMES)]
      await untilAborted(untilAnswered(frames.map((frame) => frame.evaluate(expression))), signal)
    }
    await count(true)
    return true
  }

  #load(): Promise<Autoconsent> {
    // Without the package's files, e.g. in a bundle, banners are only removed.
    return (this.#loading ??= load().catch(() => ({ script: '', rules: '[]', selectors: ownSelectors })))
  }
}

/**
 * Resolves when the question is answered in one of the frames, or when all of them have finished. Never rejects: a
 * frame may be removed meanwhile.
 */
async function untilAnswered(asked: readonly Promise<unknown>[]): Promise<void> {
  const answers = asked.map(async (answer) => {
    if ((await answer) !== true) throw new Error('this frame has no consent question')
  })
  await Promise.any(answers).catch(() => undefined)
}

const isConsentFrame = (frame: Frame): boolean =>
  frame.parentFrame() !== null && /consent|cookie|privacy|cmp|gdpr/i.test(frame.url())

/** Loads the page script and the rules of the package. The package does not export the script. */
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

/** Configuration of autoconsent. It refuses consent, which hides no content. */
const config = {
  enabled: true,
  autoAction: 'optOut',
  enablePrehide: false,
  enableCosmeticRules: true,
  // Generated rules are for single sites, and would triple the number of rules.
  enableGeneratedRules: false,
  detectRetries: 0,
  isMainWorld: true,
  logs: {
    lifecycle: false,
    rulesteps: false,
    detectionsteps: false,
    evals: false,
    errors: false,
    messages: false,
    waits: false,
  },
}

/**
 * Returns an expression that answers the consent question in the frame in which it is evaluated. It resolves to true if
 * the question was answered, after `maxMs` at the latest. The script is part of the expression, because a page's
 * content security policy may forbid `eval`.
 *
 * @param script autoconsent's script for a page
 * @param rules autoconsent's rules, as JSON
 */
const answerExpression = (script: string, rules: string, maxMs: number): string => {
  const question = `{ config: ${JSON.stringify(config)}, rules: ${rules}, maxMs: ${maxMs} }`
  return `(${String(pageFunction('answerConsent'))})(${question}, () => {\n${script}\n})`
}
