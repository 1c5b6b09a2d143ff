import { compileEcmaPattern, countStates } from '../text/linear-pattern.js'

/** Limits of a pattern. */
export const MAX_PATTERN_CHARACTERS = 2000
const MAX_PATTERN_STATES = 2000
/** States that read a character in one step. */
const STATES_PER_STEP = 100

/** A pattern of a JSON Schema with a run time linear in the text. */
export interface SchemaPattern {
  test(text: string): boolean
  /** Steps that a text of this length costs. */
  cost(characters: number): number
}

/**
 * Compiles a `pattern` or a name of `patternProperties`. The syntax is the subset of ECMAScript that RE2 supports, and
 * look-ahead directly behind `^`: such a pattern is a conjunction of linear ones. The e-mail and host name patterns of
 * schema libraries have this form.
 *
 * @throws Error that says why the pattern is refused
 */
export function compileSchemaPattern(source: string): SchemaPattern {
  if (source.length > MAX_PATTERN_CHARACTERS) {
    throw new Error(`${source.length} characters are too many: at most ${MAX_PATTERN_CHARACTERS}`)
  }
  const states = countStates(source)
  if (states > MAX_PATTERN_STATES) throw new Error('too large once its repetitions are expanded')
  const parts = splitLookaheads(source).map(({ pattern, isNegative }) => ({ test: testerOf(pattern), isNegative }))
  return {
    test: (text) => parts.every(({ test, isNegative }) => test(text) !== isNegative),
    cost: (characters) => 1 + Math.ceil((characters * (states + STATES_PER_STEP / 2)) / STATES_PER_STEP),
  }
}

const testerOf = (source: string): ((text: string) => boolean) => {
  const compiled = compileEcmaPattern(source)
  return (text) => compiled.test(text)
}

interface Conjunct {
  readonly pattern: string
  readonly isNegative: boolean
}

/** Splits `^(?!a)(?=b)c` into `not ^(?:a)`, `^(?:b)` and `^c`; any other pattern stays whole. */
function splitLookaheads(source: string): Conjunct[] {
  const conjuncts: Conjunct[] = []
  let at = 1
  while (source.startsWith('^') && (source.startsWith('(?!', at) || source.startsWith('(?=', at))) {
    const end = findGroupEnd(source, at)
    // A quantifier after the group makes it optional.
    if (end === undefined || /^[*+?{]/.test(source.slice(end))) break
    conjuncts.push({ pattern: `^(?:${source.slice(at + 3, end - 1)})`, isNegative: source[at + 2] === '!' })
    at = end
  }
  if (conjuncts.length === 0 || hasBareAlternative(source.slice(at))) return [{ pattern: source, isNegative: false }]
  return [...conjuncts, { pattern: `^${source.slice(at)}`, isNegative: false }]
}

const TOKEN = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^]/g

/** Returns the end of the group that starts at `from`. */
function findGroupEnd(source: string, from: number): number | undefined {
  let depth = 0
  for (const { 0: token, index } of source.slice(from).matchAll(TOKEN)) {
    if (token === '(') depth++
    else if (token === ')' && --depth === 0) return from + index + 1
  }
  return undefined
}

/** Returns true if `|` stands outside of all groups: `^(?!a)b|c` is not a conjunction. */
function hasBareAlternative(source: string): boolean {
  let depth = 0
  for (const [token] of source.matchAll(TOKEN)) {
    if (token === '(') depth++
    else if (token === ')') depth--
    else if (token === '|' && depth === 0) return true
  }
  return false
}
