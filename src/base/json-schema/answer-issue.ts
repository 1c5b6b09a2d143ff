import { pointTo } from './schema-shape.js'

/** A fault of a value, wherever it is in the answer. */
interface ValueFault {
  readonly message: string
  /** Set when a required value is missing. */
  readonly isMissing?: true
}

/** A fault of an answer. */
export interface AnswerIssue extends ValueFault {
  /** Place of the fault, as a JSON Pointer (RFC 6901); empty for the root. */
  readonly path: string
}

/** Place of a value as a linked list. The path is written only for issues, which saves most of the work. */
export interface ValuePath {
  readonly parent: ValuePath | undefined
  readonly name: string | number
}

/** An issue whose path is not written yet. */
export interface FoundIssue extends ValueFault {
  readonly at: ValuePath | undefined
}

/** Writes a place as a JSON Pointer. */
export function writePath(at: ValuePath | undefined): string {
  const names: (string | number)[] = []
  for (let place = at; place; place = place.parent) names.push(place.name)
  return names.toReversed().reduce<string>(pointTo, '')
}
