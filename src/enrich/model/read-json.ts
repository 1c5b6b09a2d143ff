import { parseJson } from '../../text/parse-json.js'

/** JSON found in a model's answer. */
export interface FoundJson {
  readonly value: unknown
  /** Set when the text was cut off and its brackets were closed here. */
  readonly isCut?: true
}

/** Maximum characters to parse: no model writes more. */
const MAX_CHARACTERS = 1_000_000

/**
 * Finds the JSON in a text: the whole text, the content of a code fence, or the first object or list within prose. A
 * truncated value is closed after its last complete member.
 */
export function readJson(text: string): FoundJson | undefined {
  const trimmed = withoutThoughts(text.slice(0, MAX_CHARACTERS)).trim()
  const fenced = /```(?:json)?\s*\n([\s\S]*?)(?:\n```|$)/.exec(trimmed)?.[1]
  for (const candidate of [trimmed, ...(fenced === undefined ? [] : [fenced])]) {
    const whole = parse(candidate)
    if (whole) return whole
  }
  const from = (fenced ?? trimmed).search(/[{[]/)
  return from === -1 ? undefined : readFrom((fenced ?? trimmed).slice(from))
}

/**
 * Removes the reasoning of a model before its answer. The opening tag is missing when the model's template puts it into
 * the prompt; then everything before the first closing tag is reasoning.
 */
export function withoutThoughts(text: string): string {
  const end = text.indexOf('</think>')
  const begin = text.indexOf('<think>')
  if (end === -1 || (begin !== -1 && text.slice(0, begin).trim() !== '')) return text
  // A closing tag within the JSON of the answer ends no reasoning.
  return parse(text.trim()) ? text : text.slice(end + '</think>'.length)
}

function parse(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = parseJson(text)
    return typeof value === 'object' && value !== null && isShallow(value) ? { value } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Maximum nesting: the code that works on the value is recursive. */
const MAX_DEPTH = 200

function isShallow(root: object): boolean {
  let level: object[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false
    level = level.flatMap((value) => Object.values(value).filter((part) => typeof part === 'object' && part !== null))
  }
  return true
}

/** An open bracket, by the one that closes it, and the brackets around it. */
interface OpenBracket {
  readonly close: string
  readonly depth: number
  readonly around: OpenBracket | undefined
}

/** Reads a value at the start of a text that continues after it or is truncated. */
function readFrom(text: string): FoundJson | undefined {
  let open: OpenBracket | undefined
  let inString = false
  /** End of the last complete value or pair, and the bracket open there. */
  let whole: { end: number; open: OpenBracket | undefined } | undefined
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (inString) {
      if (sign === '\\') at++
      else if (sign === '"') inString = false
      continue
    }
    if (sign === '"') inString = true
    else if (sign === '{' || sign === '[') {
      open = { close: sign === '{' ? '}' : ']', depth: (open?.depth ?? 0) + 1, around: open }
      if (open.depth > MAX_DEPTH) return undefined
    } else if (sign === '}' || sign === ']') {
      open = open?.around
      if (open === undefined) return parse(tidy(text.slice(0, at + 1)))
      whole = { end: at + 1, open }
    } else if (sign === ',') whole = { end: at, open }
  }
  if (!whole) return undefined
  let ending = ''
  for (let at = whole.open; at; at = at.around) ending += at.close
  const closed = parse(tidy(text.slice(0, whole.end)) + ending)
  return closed && { ...closed, isCut: true }
}

/** Removes commas before closing brackets, a common error of models, outside of strings. */
const tidy = (text: string): string =>
  text.replace(/("(?:[^"\\]|\\[^]?)*(?:"|$))|,(\s*[}\]])/g, (_, string?: string, end?: string) => string ?? end ?? '')
