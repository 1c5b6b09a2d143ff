import { splitAtSpaces } from './split-value.js'

/** Readers for whom a condition of a style sheet holds. What a browser does not know holds for none, and nor does its contrary. */
export type ConditionOutcome = 'all' | 'some' | 'none' | 'unknown'

/** Tests one part of a condition: what is in brackets. @param name of the function before these; '' without one */
type ConditionTest = (inner: string, name: string) => ConditionOutcome

const MAX_DEPTH = 12

/**
 * Evaluates conditions in brackets that are joined by `not`, `and`, `or`.
 *
 * @returns undefined for what is no condition
 * @see https://www.w3.org/TR/css-conditional-5/
 */
export function evaluate(text: string, test: ConditionTest, depth = 0): ConditionOutcome | undefined {
  if (depth > MAX_DEPTH) return 'unknown'
  const words = splitAtSpaces(text.trim().replace(/\)(?=(?:and|or)\b)/gi, ') '))
  const [first = '', second] = words
  if (first.toLowerCase() === 'not') {
    const outcome = second === undefined || words.length > 2 ? undefined : part(second, test, depth)
    return outcome === undefined ? undefined : negate(outcome)
  }
  let outcome = part(first, test, depth)
  const joint = second?.toLowerCase()
  if (words.length % 2 === 0) return undefined
  for (let at = 1; at < words.length && outcome !== undefined; at += 2) {
    const next = part(words[at + 1] ?? '', test, depth)
    if (words[at]?.toLowerCase() !== joint || next === undefined) return undefined
    outcome = joint === 'and' ? both(outcome, next) : joint === 'or' ? either(outcome, next) : undefined
  }
  return outcome
}

function part(word: string, test: ConditionTest, depth: number): ConditionOutcome | undefined {
  const [, name, inner = ''] = /^([\w-]*)\(([^]*)\)$/.exec(word) ?? []
  if (name === undefined) return undefined
  if (name === '' && /^\s*(?:\(|not\s|[\w-]+\()/i.test(inner)) return evaluate(inner, test, depth + 1) ?? 'unknown'
  return test(inner.trim(), name.toLowerCase())
}

export const negate = (one: ConditionOutcome): ConditionOutcome =>
  one === 'all' ? 'none' : one === 'none' ? 'all' : one

export function both(one: ConditionOutcome, other: ConditionOutcome): ConditionOutcome {
  for (const least of ['none', 'unknown', 'some'] as const) if (one === least || other === least) return least
  return 'all'
}

function either(one: ConditionOutcome, other: ConditionOutcome): ConditionOutcome {
  for (const most of ['all', 'some', 'unknown'] as const) if (one === most || other === most) return most
  return 'none'
}
