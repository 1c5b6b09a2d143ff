import { pointTo } from './schema-shape.js'

/** One thing that is wrong with an answer. */
export interface AnswerIssue {
  /** Its place, as a JSON Pointer (RFC 6901); empty for the whole. */
  readonly path: string
  readonly message: string
  /** Set when something is not there that must be. */
  readonly isMissing?: true
}

/** A place in the value: its path is written when there is something to report. */
export interface ValuePath {
  readonly parent: ValuePath | undefined
  readonly name: string | number
}

/** An issue whose path is not written yet. */
export interface FoundIssue extends Omit<AnswerIssue, 'path'> {
  readonly at: ValuePath | undefined
}

/** The path of a place, as a JSON Pointer. */
export function writePath(at: ValuePath | undefined): string {
  const names: (string | number)[] = []
  for (let place = at; place; place = place.parent) names.push(place.name)
  return names.toReversed().reduce<string>(pointTo, '')
}
