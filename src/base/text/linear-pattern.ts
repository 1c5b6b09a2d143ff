import { RE2JS, RE2JSSyntaxException } from 're2js'

/** A compiled pattern in RE2 syntax. Matching takes time linear in the text, for any pattern. */
export interface LinearPattern {
  /** Tests whether the pattern matches anywhere in the text. */
  test(text: string): boolean
  /** Finds the first match: its first group, or the whole match where the pattern has no group. */
  find(text: string): string | undefined
}

/**
 * Compiles a pattern. The caller must bound its size first: see {@link countStates}.
 *
 * @throws Error that says why the pattern is refused
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function compileLinear(source: string): LinearPattern {
  try {
    const compiled = RE2JS.compile(source)
    return {
      test: (text) => compiled.test(text),
      find(text) {
        const matcher = compiled.matcher(text)
        if (!matcher.find()) return undefined
        return (matcher.groupCount() > 0 ? matcher.group(1) : matcher.group()) ?? undefined
      },
    }
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    throw new Error(explainSyntax(source, error.message), { cause: error })
  }
}

/**
 * Compiles a pattern in ECMAScript syntax, as far as RE2 supports it: `\u00e9`, `[^]` and `(?<name>…)` are translated.
 *
 * @throws Error that says why the pattern is refused
 */
export const compileEcmaPattern = (source: string): LinearPattern => compileLinear(RE2JS.translateRegExp(source))

function explainSyntax(source: string, message: string): string {
  if (/\(\?<?[=!]/.test(source)) return 'look-around is not supported: patterns are matched in linear time'
  if (/\\(?:[1-9]|k[<{'])/.test(source)) return 'back-references are not supported: patterns are matched in linear time'
  return message.replace(/^error parsing regexp: /, '')
}

/**
 * Estimates the number of states that a pattern compiles to, before the costly compilation. A repetition counts as often as it may
 * happen, so the estimate is never far too low.
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
