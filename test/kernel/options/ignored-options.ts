/** Options without effect, which clients of the interface send. */
const WITHOUT_EFFECT = ['origin', 'integration', 'auditMetadata', 'toolDetail']
/** Names of the service's own trials. */
const TRIAL = /^__/

/** Lists every value within a plan that is no plain object or list, for comparing two plans. */
export function leavesOf(value: unknown, path = ''): Map<string, unknown> {
  const isPlain =
    Array.isArray(value) ||
    (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
  if (!isPlain || typeof value !== 'object') return new Map([[path, value]])
  if (Object.keys(value).length === 0) return new Map([[path, 'empty']])
  return new Map(Object.entries(value).flatMap(([name, part]) => [...leavesOf(part, `${path}/${name}`)]))
}

const differs = (plan: unknown, base: unknown): boolean => {
  const [some, others] = [leavesOf(plan), leavesOf(base)]
  return (
    some.size !== others.size ||
    [...some].some(([path, leaf]) => leaf !== others.get(path) && !Object.is(leaf, others.get(path)))
  )
}

/** Lists the names of the options that do not change the plan. */
export const ignored = (samples: object, plan: (change: object) => unknown): string[] =>
  Object.entries(samples)
    .filter(
      ([name, value]) =>
        !WITHOUT_EFFECT.includes(name) && !TRIAL.test(name) && !differs(plan({ [name]: value }), plan({})),
    )
    .map(([name]) => name)
