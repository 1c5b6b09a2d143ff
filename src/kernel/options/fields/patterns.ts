import type { z } from 'zod'
import { messageOf, printSeen } from '../../../base/errors.js'
import { compilePathPattern, patternLimits } from '../../../base/text/path-pattern.js'
import { countStates } from '../../../base/text/linear-pattern.js'

/** Pattern as given by a caller: RE2 syntax as a string, or a `RegExp` with such a source. */
export type PatternLike = string | RegExp

/** Fields of a crawl that hold patterns. */
interface PatternFields {
  includePaths?: readonly string[]
  excludePaths?: readonly string[]
}

/** Refuses a pattern that does not compile, with the reason. @internal */
export function refuseBadPattern(pattern: string, context: z.core.$RefinementCtx): void {
  const refuse = (reason: string): void =>
    context.addIssue({ code: 'custom', message: `${printSeen(pattern)} is not a pattern that can be used: ${reason}` })
  // The field of a form that nobody filled in, and the source of `new RegExp('')`.
  if (/^(?:\(\?:\))?$/.test(pattern.trim())) return refuse('it is empty, so that it matches every URL; leave it out')
  try {
    compilePathPattern(pattern)
  } catch (error) {
    const isGlob = /^\*|\*\*|\/\*\./.test(pattern)
    const advice = isGlob ? '; patterns are regular expressions, not globs: `^/docs/` for `/docs/**`' : ''
    refuse(`${messageOf(error)}${advice}`)
  }
}

/** Refuses more patterns in both fields together than a crawl can test on every link: see `patternLimits`. @internal */
export function refuseTooManyPatterns(fields: PatternFields, context: z.core.$RefinementCtx): void {
  const patterns = [...(fields.includePaths ?? []), ...(fields.excludePaths ?? [])]
  const refuse = (seen: string, allowed: string) =>
    context.addIssue({
      code: 'custom',
      path: [fields.includePaths === undefined ? 'excludePaths' : 'includePaths'],
      message: `${seen} are too many: \`includePaths\` and \`excludePaths\` may have ${allowed} together`,
    })
  const characters = sum(patterns, (pattern) => pattern.length)
  const states = sum(patterns, countStates)
  if (patterns.length > patternLimits.patterns) refuse(`${patterns.length} patterns`, `${patternLimits.patterns}`)
  if (characters > patternLimits.totalCharacters) refuse(`${characters} characters`, `${patternLimits.totalCharacters}`)
  else if (states > patternLimits.totalStates)
    refuse(`${states} characters, with repetitions written out,`, `${patternLimits.totalStates}`)
}

const sum = (patterns: readonly string[], measure: (pattern: string) => number): number =>
  patterns.reduce((total, pattern) => total + measure(pattern), 0)
