import { pageFunction } from '../../injected/page-functions.js'

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
export const answerExpression = (script: string, rules: string, maxMs: number): string => {
  const question = `{ config: ${JSON.stringify(config)}, rules: ${rules}, maxMs: ${maxMs} }`
  return `(${String(pageFunction('answerConsent'))})(${question}, () => {\n${script}\n})`
}
