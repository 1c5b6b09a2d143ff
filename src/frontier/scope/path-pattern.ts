import { compileLinear, countStates } from '../../text/linear-pattern.js'

/** A compiled pattern, with the spelling that the caller gave it. */
export interface PathPattern {
  readonly source: string
  /** Whether the pattern is found anywhere in the text. Takes time linear in the text, whatever the pattern. */
  test(text: string): boolean
}

/** Bounds on the patterns of one crawl. @see docs/compatibility.md#patterns */
export const patternLimits = {
  /** Patterns in one field, and in both together. */
  patterns: 1000,
  /** Characters of one pattern. */
  characters: 2000,
  /** Characters of all patterns together. */
  totalCharacters: 100_000,
  /** States of one compiled pattern: `a{1000}` repeated to the limit of characters costs half a second and 40 MB. */
  states: 10_000,
  /** States of all compiled patterns together. */
  totalStates: 200_000,
} as const

/**
 * Compiles a pattern of `includePaths` or `excludePaths`: RE2 syntax, which is that of Go and close to that of Rust.
 *
 * @throws Error that says why the pattern is refused
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function compilePathPattern(source: string): PathPattern {
  const reason = findReasonToRefuse(source)
  if (reason !== undefined) throw new Error(reason)
  const compiled = compileLinear(source)
  return { source, test: (text) => compiled.test(text) }
}

/** What can be said against a pattern before it is compiled. */
function findReasonToRefuse(source: string): string | undefined {
  if (source.length > patternLimits.characters) {
    return `${source.length} characters are too many: at most ${patternLimits.characters}`
  }
  if (/[^ -~]|\\p/i.test(source)) {
    return 'URLs are percent-encoded, so only ASCII can match: write `%E6%97%A5` for `日`, and no `\\p{…}`'
  }
  if (countStates(source) > patternLimits.states) return 'too large once its repetitions are written out'
  return undefined
}
