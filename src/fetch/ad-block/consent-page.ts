import { pageFunction } from '../browser-page/page-function.js'

/**
 * Finds what asks for consent on a page, and with `takeAway` removes it: known banners by their selectors, and others by
 * what they are: something that speaks of cookies, has a button that says yes or no, and lies over the page. What holds
 * the page's own content is left alone, however it is called.
 *
 * @returns how many there are
 */
export const findConsent: (question: { selectors: readonly string[]; takeAway: boolean }) => number =
  pageFunction(`({ selectors, takeAway }) => {
  const MAX_TEXT = 6000
  const all = (selector) => {
    try {
      return [...document.querySelectorAll(selector)]
    } catch {
      return []
    }
  }
  const isSeen = (element) => element.getClientRects().length > 0
  const isContent = (element) =>
    element === document.body || element === document.documentElement || element.matches('main, article, h1') ||
    element.querySelector('main, article, h1') !== null || (element.textContent ?? '').length > MAX_TEXT
  const answers = /\\b(?:accept|agree|allow|consent|got it|ok(?:ay)?|reject|decline|deny|refuse|only necessary|manage|akzeptieren|zustimmen|ablehnen|einverstanden|accepter|refuser|aceptar|rechazar|accetta|rifiuta|aceitar|recusar|accepteren|weigeren|akceptuj|odrzuć|godkänn|acceptera|accepter alle|принять|принимаю|согласен|отклонить|同意|接受|すべて|동의)/i
  const lies = (element) => {
    const { position } = getComputedStyle(element)
    return position === 'fixed' || position === 'sticky' || element.matches('dialog, [role=dialog], [role=alertdialog], [aria-modal=true]')
  }
  const asks = (element) =>
    /cookie|consent|gdpr|dsgvo|rgpd/i.test(element.textContent ?? '') &&
    [...element.querySelectorAll('button, a, input[type=button], input[type=submit], [role=button]')].some((button) =>
      answers.test(button.textContent || button.value || button.getAttribute('aria-label') || ''))
  const found = new Set()
  for (const selector of selectors) for (const element of all(selector)) if (!isContent(element)) found.add(element)
  const isKnownSeen = [...found].some(isSeen)
  const named = ['cookie', 'consent', 'gdpr', 'dsgvo', 'rgpd', 'privacy', 'cmp'].map((word) => '[id*="' + word + '" i], [class*="' + word + '" i], [aria-label*="' + word + '" i]')
  for (const element of all(named.join(', ') + ', dialog, [role=dialog], [role=alertdialog], [aria-modal=true]')) {
    if (isContent(element) || !isSeen(element) || !asks(element)) continue
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      if (isContent(at)) break
      if (lies(at)) found.add(at)
    }
  }
  const seen = [...found].filter(isSeen)
  if (!takeAway) return isKnownSeen || seen.length > 0 ? Math.max(1, seen.length) : 0
  for (const element of found) element.remove()
  // What kept the page behind it from being scrolled.
  for (const element of [document.documentElement, document.body]) {
    if (getComputedStyle(element).overflowY === 'hidden') element.style.setProperty('overflow', 'auto', 'important')
  }
  return found.size
}`)

/** How a question for consent is answered. Refusing is what costs a reader nothing. */
const settings = {
  enabled: true,
  autoAction: 'optOut',
  enablePrehide: false,
  enableCosmeticRules: true,
  // They are for single sites, and twice as many as the rest.
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
 * An expression that answers what a page asks, by the rules of autoconsent, in the frame that it is evaluated in. It
 * resolves to whether it was answered, after `maxMs` at the latest.
 *
 * @param script autoconsent's own, for a page
 * @param rules autoconsent's, as JSON
 */
export const answerScript = (script: string, rules: string, maxMs: number): string => `new Promise((resolve) => {
  const end = (answered) => {
    clearTimeout(timer)
    delete window.autoconsentSendMessage
    delete window.autoconsentReceiveMessage
    resolve(answered)
  }
  const timer = setTimeout(() => end(false), ${maxMs})
  const reply = (message) => window.autoconsentReceiveMessage?.(message)
  window.autoconsentSendMessage = async (message) => {
    if (message.type === 'init') {
      // Its answer has a place to go only when this script has run.
      await undefined
      reply({ type: 'initResp', config: ${JSON.stringify(settings)}, rules: { autoconsent: ${rules} } })
    } else if (message.type === 'eval') {
      let result = false
      try {
        result = await (0, eval)(message.code)
      } catch {
        // The page forbids it.
      }
      reply({ type: 'evalResp', id: message.id, result })
    } else if (message.type === 'autoconsentDone') end(true)
    else if (message.type === 'optOutResult' && !message.result) end(false)
    else if (message.type === 'report' && message.state?.lifecycle === 'nothingDetected') end(false)
  }
  ${script}
})`
