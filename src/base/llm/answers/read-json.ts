import { parseJson } from '../../text/parse-json.js'
import { MAX_DEPTH, readLenientJson } from './lenient-json.js'

/** JSON found in a model's answer. */
interface FoundJson {
  readonly value: unknown
  /** Set when the text was cut off and its brackets were closed here. */
  readonly isCut?: true
}

/** Maximum characters to parse: no model writes more. */
const MAX_CHARACTERS = 1_000_000

/**
 * Finds the JSON in a text: the whole text, the content of a code fence, or the longest object or list within prose. Errors that
 * models make are corrected. A truncated value is closed after its last complete member.
 */
export function readJson(text: string): FoundJson | undefined {
  const trimmed = withoutThoughts(text.slice(0, MAX_CHARACTERS)).trim()
  const fenced = /```(?:json)?\s*\n([\s\S]*?)(?:\n```|$)/i.exec(trimmed)?.[1]
  const candidates = [trimmed, ...(fenced === undefined ? [] : [fenced])]
  for (const candidate of candidates) {
    const whole = parse(candidate)
    if (whole) return whole
  }
  for (const candidate of candidates.toReversed()) {
    const found = findLongest(candidate)
    // A value that is cut off within the reasoning is a draft.
    if (found && !(found.isCut && isUnfinishedThought(trimmed))) return found
  }
  return undefined
}

/** Maximum brackets of a text that a value is read from: in prose, most of them begin none. */
const MAX_ATTEMPTS = 1000
/** Maximum characters that are read in vain. */
const MAX_IN_VAIN = 200_000

function findLongest(text: string): FoundJson | undefined {
  let longest: { readonly found: FoundJson; readonly length: number } | undefined
  let inVain = 0
  let at = nextBracket(text, 0)
  for (let attempt = 0; at !== undefined && attempt < MAX_ATTEMPTS && inVain < MAX_IN_VAIN; attempt += 1) {
    const read = readLenientJson(text, at)
    const length = read.end - at
    if (read.value === undefined) inVain += length
    else if (length > (longest?.length ?? 0))
      longest = { found: { value: read.value, isCut: read.isCut || undefined }, length }
    at = nextBracket(text, read.value === undefined ? at + 1 : read.end)
  }
  return longest?.found
}

function nextBracket(text: string, from: number): number | undefined {
  const found = /[{[]/g
  found.lastIndex = from
  return found.exec(text)?.index
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

/** Tests for an answer that ends within the reasoning of the model. */
export const isUnfinishedThought = (text: string): boolean =>
  text.trimStart().startsWith('<think>') && !text.includes('</think>')

function parse(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = parseJson(text)
    // A text that holds the JSON: some models write it in quotes.
    if (typeof value === 'string' && /^\s*[{[]/.test(value)) return parse(value)
    return typeof value === 'object' && value !== null && isUsable(value) ? { value } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Tests the nesting of a value, and sets numbers to null that are too large: `1e999` is infinite, and infinity is no JSON. */
function isUsable(root: object): boolean {
  let level: object[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false
    const next: object[] = []
    for (const value of level) {
      for (const [name, part] of Object.entries(value) as [string, unknown][]) {
        if (typeof part === 'object' && part !== null) next.push(part)
        else if (typeof part === 'number' && !Number.isFinite(part)) Reflect.set(value, name, null)
      }
    }
    level = next
  }
  return true
}
