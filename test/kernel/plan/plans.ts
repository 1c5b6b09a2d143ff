import type { PlanDefaults } from '../../../src/kernel/plan/plan-defaults.js'

/** Defaults as an engine would give them. */
export const defaults: PlanDefaults = {
  maxConcurrency: 10,
  timeoutMs: 30_000,
  fetcher: 'auto',
  staleIfErrorMs: 0,
  keepsSnapshots: false,
  partTokens: 20_000,
  budget: {},
  enhancedCredits: 4,
  parse: { maxHtmlBytes: 1000, maxDepth: 100, maxNodes: 1000 },
}

/** Lists the objects within a plan that are not frozen. */
export function unfrozen(value: unknown, path = 'plan'): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([name, part]) => unfrozen(part, `${path}.${name}`))
  return Object.isFrozen(value) ? inside : [path, ...inside]
}
