import type { AnswerForm } from './answer-form.js'
import type { AnswerIssue } from './answer-issue.js'
import { isObject } from '../collections/is-object.js'
import { namesOf } from './schema-shape.js'

/** The valid part of an answer. */
interface ValidPart {
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
    at = without(at, toTree(wrong))
    ;({ issues, ...checked } = await form.check(at))
  }
  return { value: issues.length === 0 ? checked.value : at, issues }
}

/** Names under which values are removed; without names, the value itself is. */
type Tree = Map<string, Tree>

/** Places of the faults as a tree. Of nested faults, only the innermost value goes. */
function toTree(issues: readonly AnswerIssue[]): Tree {
  const root: Tree = new Map()
  for (const { path } of issues) {
    let at = root
    for (const name of namesOf(path)) {
      const inner = at.get(name) ?? new Map()
      at.set(name, inner)
      at = inner
    }
  }
  return root
}

/** Returns a copy without the values of a tree; undefined without names, unless the value is an object or a list. */
function without(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => {
      const inner = tree.get(String(index))
      return inner === undefined ? [item] : inner.size === 0 ? [] : [without(item, inner)]
    })
  }
  if (!isObject(value)) return tree.size === 0 ? undefined : value
  const kept = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const inner = tree.get(name)
    return inner === undefined ? [[name, part]] : inner.size === 0 ? [] : [[name, without(part, inner)]]
  })
  return Object.fromEntries(kept)
}
