import type { AnswerForm } from '../json-schema/answer-form.js'
import type { AnswerIssue } from '../json-schema/answer-issue.js'
import { isObject } from '../../collections/is-object.js'
import { namesOf } from '../json-schema/schema-shape.js'

/** The valid part of an answer. */
export interface ValidPart {
  /** Undefined when nothing is left. */
  readonly value: unknown
  /** Remaining issues, usually missing values. */
  readonly issues: readonly AnswerIssue[]
}

/** Maximum rounds of dropping: removing a value may uncover another issue. */
const MAX_ROUNDS = 5

/** Removes the values that break the schema; missing values stay missing. */
export async function dropInvalidValues(value: unknown, form: AnswerForm): Promise<ValidPart> {
  let at = structuredClone(value)
  let { issues, ...checked } = await form.check(at)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const wrong = issues.filter(({ isMissing }) => !isMissing)
    if (wrong.length === 0) break
    // Nested faults: only the innermost value goes. Later items of a list go first, so that indexes stay valid.
    const paths = [...new Set(wrong.map(({ path }) => path))]
    const inner = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)))
    for (const path of inner.toSorted(byPlace).toReversed()) at = without(at, namesOf(path))
    ;({ issues, ...checked } = await form.check(at))
  }
  return { value: issues.length === 0 ? checked.value : at, issues }
}

const byPlace = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true })

/**
 * Returns a copy without the value at a path; undefined for the empty path, unless the value is an object or a list.
 */
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
