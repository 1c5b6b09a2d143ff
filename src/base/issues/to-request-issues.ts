import type { z } from 'zod'
import { printSeen, type RequestIssue } from '../errors.js'
import { nameType } from './describe-issue.js'

type Issue = z.core.$ZodIssue

/** Converts an issue of zod, whose message is that of `describeIssue`. @param within path of the checked value */
export function toRequestIssues(issue: Issue, within: readonly PropertyKey[] = []): RequestIssue[] {
  const path = [...within, ...issue.path]
  const branches = issue.code === 'invalid_union' ? issue.errors : []
  if (branches.length > 0) return toUnionIssues(issue.input, branches, path)
  return [createIssue(issue.code, path, issue.message)]
}

/**
 * Converts the issue of a union. It says only that no branch fits, so the issues of the branch that the caller meant are
 * reported: the one for the kind of the value.
 */
function toUnionIssues(input: unknown, branches: readonly Issue[][], path: readonly PropertyKey[]): RequestIssue[] {
  const meant =
    branches.find((issues) => !issues.some(isWrongKind)) ??
    branches.find((issues) => typeof input === 'string' && issues.some(({ code }) => code === 'invalid_value'))
  if (meant) return meant.flatMap((issue) => toRequestIssues(issue, path))
  const seen = printSeen(input)
  const kinds = branches.flat().map((issue) => {
    if (issue.code !== 'invalid_type') return 'a name'
    // The message of an object says what it must have.
    return issue.expected === 'object' ? issue.message.replace(`${seen} is not `, '') : nameType(issue.expected)
  })
  return [createIssue('invalid_union', path, `${seen} is not ${[...new Set(kinds)].join(' or ')}`)]
}

const isWrongKind = (issue: Issue): boolean =>
  issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')

const createIssue = (code: string, path: readonly PropertyKey[], message: string): RequestIssue => ({
  code,
  path: path.map((key) => (typeof key === 'number' ? key : String(key))),
  message,
})
