import { compileLinear, countStates } from './linear-pattern.js'

/** A compiled pattern and its source. */
export interface PathPattern {
  readonly source: string
  /** Returns true if the pattern matches anywhere in the text. Linear in the text, whatever the pattern. */
  test(text: string): boolean
}

/** Limits of the patterns of one crawl. @see docs/compatibility/crawls.md#patterns */
export const patternLimits = {
  /** Number of patterns of one field, and of both fields together. */
  patterns: 1000,
  /** Length of one pattern. Characters. */
  characters: 2000,
  /** Total length of all patterns. Characters. */
  totalCharacters: 100_000,
  /**
   * States of one compiled pattern: `a{1000}`, repeated up to the limit of characters, takes half a second and 40 MB.
   */
  states: 10_000,
  /** States of all compiled patterns together. */
  totalStates: 200_000,
} as const

/**
 * Compiles a pattern of `includePaths` or `excludePaths` in RE2 syntax, which is also Go's and nearly Rust's.
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

/** Returns the reason to refuse a pattern without compiling it. */
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
