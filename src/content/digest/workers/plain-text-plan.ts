import { hasSelectors } from '../../convert/convert.js'
import type { DigestPlan } from '../digest.js'

/**
 * Creates the plan for the start of a page, which is read on the caller's thread. The start is not compared with the
 * last snapshot: nearly everything would count as removed, and the comparison could take long.
 */
export function asStart(plan: DigestPlan, reason: string): DigestPlan {
  const { track: _, ...rest } = asText(plan, reason)
  return rest
}

/** Creates the plan for a page that took too much time or memory: plain text, without selectors. */
export const asText = (plan: DigestPlan, reason: string): DigestPlan => ({
  ...plan,
  parse: { ...plan.parse, asText: reason },
  extract: { ...plan.extract, includeTags: [], excludeTags: [] },
  convert: { ...plan.convert, formats: plan.convert.formats.filter((item) => !hasSelectors(item)) },
})
