import { pageFunction } from '../../injected/page-functions.js'

/** Configuration of autoconsent. It refuses: this costs a reader nothing. */
const config = {
  enabled: true,
  autoAction: 'optOut',
  enablePrehide: false,
  enableCosmeticRules: true,
  // These rules are for single sites, and twice as many as the rest.
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
 * Returns an expression that answers the consent question of a page, in the frame that it is evaluated in. It resolves to
 * true where the question was answered, after `maxMs` at the latest.
 *
 * The script stands in the expression as code: a page's policy may forbid `eval`.
 *
 * @param script autoconsent's script for a page
 * @param rules autoconsent's rules, as JSON
 */
export const answerExpression = (script: string, rules: string, maxMs: number): string => {
  const question = `{ config: ${JSON.stringify(config)}, rules: ${rules}, maxMs: ${maxMs} }`
  return `(${String(pageFunction('answerConsent'))})(${question}, () => {\n${script}\n})`
}
