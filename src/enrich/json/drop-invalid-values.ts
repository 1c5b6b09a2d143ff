import type { AnswerForm } from '../json-schema/answer-form.js'
import type { AnswerIssue } from '../json-schema/answer-issue.js'
import { isObject } from '../../collections/is-object.js'
import { namesOf } from '../json-schema/schema-shape.js'

/** What is left of an answer. */
export interface Kept {
  /** Undefined when nothing is left. */
  readonly value: unknown
  /** What the schema says of that: as a rule, what is missing. */
  readonly issues: readonly AnswerIssue[]
}

/** Rounds of leaving out what is wrong: taking one thing out may show another. */
const MAX_ROUNDS = 5

/** An answer without the values that break its schema; what must be there and is not stays missing. */
export async function dropInvalidValues(value: unknown, form: AnswerForm): Promise<Kept> {
  let at = structuredClone(value)
  let { issues, ...checked } = await form.check(at)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const wrong = issues.filter(({ isMissing }) => !isMissing)
    if (wrong.length === 0) break
    // Of two, one within the other, only the inner one goes; of a list the later items first.
    const paths = [...new Set(wrong.map(({ path }) => path))]
    const inner = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)))
    for (const path of inner.toSorted(byPlace).toReversed()) at = without(at, namesOf(path))
    ;({ issues, ...checked } = await form.check(at))
  }
  return { value: issues.length === 0 ? checked.value : at, issues }
}

const byPlace = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true })

/** A value without what stands at a path; nothing when that is the whole of it, and no object. */
function without(value: unknown, names: readonly string[]): unknown {
  const [name, ...rest] = names
  if (name === undefined) return isObject(value) || Array.isArray(value) ? value : undefined
  if (Array.isArray(value)) {
    const index = Number(name)
    if (rest.length === 0) return value.toSpliced(index, 1)
    return value.with(index, without(value[index], rest))
  }
  if (!isObject(value)) return value
  if (rest.length > 0) return Object.hasOwn(value, name) ? { ...value, [name]: without(value[name], rest) } : value
  const { [name]: _, ...others } = value
  return others
}
