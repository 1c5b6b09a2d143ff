import { RE2JS, RE2JSSyntaxException } from 're2js'

/** A compiled pattern, with the spelling that the caller gave it. */
export interface PathPattern {
  readonly source: string
  /** Whether the pattern is found anywhere in the text. Takes time linear in the text, whatever the pattern. */
  test(text: string): boolean
}

/** Bounds on the patterns of one crawl. @see behaviour 1.8 */
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
  try {
    const compiled = RE2JS.compile(source)
    return { source, test: (text) => compiled.test(text) }
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    throw new Error(explainSyntax(source, error.message), { cause: error })
  }
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

function explainSyntax(source: string, message: string): string {
  if (/\(\?<?[=!]/.test(source)) return 'look-around is not supported: patterns are matched in linear time'
  if (/\\(?:[1-9]|k[<{'])/.test(source)) return 'back-references are not supported: patterns are matched in linear time'
  return message.replace(/^error parsing regexp: /, '')
}

/**
 * Roughly how many states a pattern compiles to: never far fewer, for a repetition counts as often as it may happen.
 * Needed before compiling, because compiling is what costs.
 */
export function countStates(source: string): number {
  const open: number[] = []
  let total = 0
  let last = 0
  const add = (states: number): void => {
    total += states
    last = states
  }
  const token = /\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[\s\S]/g
  for (const [text, from, to] of source.matchAll(token)) {
    if (text === '(') {
      open.push(total)
      total = 0
    } else if (text === ')') {
      const inside = total + 2
      total = open.pop() ?? 0
      add(inside)
    } else if (from !== undefined) {
      total += last * (Math.max(Number(from), Number(to ?? 0)) - 1)
    } else {
      add(1)
    }
  }
  return open.reduce((sum, before) => sum + before, total)
}
