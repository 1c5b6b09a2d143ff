import { ownValue } from '../../base/collections/own-value.js'
import type { ParsedPage } from '../parse/parser.js'

/** A question about the tree of a page, which a task answers. Plain data. */
export interface TreeQuery {
  /** Name of the task: that of its feature, a slash, and its own. */
  readonly task: string
  readonly argument?: unknown
}

/** Answers a question about the whole tree of a page, not only its main content. A pure function, whose result is plain data. */
type TreeTask = (page: ParsedPage, argument: unknown) => unknown

/** Tasks by their names. */
export type TreeTasks = Readonly<Record<string, TreeTask>>

/** Has a task answer a question about a page. @throws TypeError for a task that is not there @internal */
export function queryTree(page: ParsedPage, { task, argument }: TreeQuery, tasks: TreeTasks): unknown {
  const answer = ownValue(tasks, task)
  if (typeof answer !== 'function') throw new TypeError(`there is no task \`${task}\``)
  return answer(page, argument)
}
