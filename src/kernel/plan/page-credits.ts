import { estimateCredits, type CreditEstimate, type CreditTerms } from '../../base/accounting/credits.js'
import type { ScrapePlan } from './scrape-plan.js'

/** Picks the options of a page that change its price in credits. */
export const pickCreditTerms = ({ cache, digest, enhancedCredits, zeroDataRetention }: ScrapePlan): CreditTerms => ({
  enhanced: enhancedCredits,
  lockdown: cache.lockdown,
  zeroDataRetention,
  redaction: digest.rewrite ? true : undefined,
})

/** Estimates the price of a page in credits, from its plan. */
export function estimatePageCredits(plan: ScrapePlan): CreditEstimate {
  const { cache, fetch, enrich } = plan
  const asksNoSite = cache.lockdown === true || cache.minAgeMs !== undefined
  const proxy = asksNoSite ? 'basic' : (fetch.proxy ?? 'auto')
  return estimateCredits({ ...pickCreditTerms(plan), proxy, work: new Set(enrich.work) })
}
