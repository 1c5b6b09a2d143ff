import { parseJson } from '../../base/text/parse-json.js'

/** A longer text is not parsed, since it would block the event loop. Characters. */
export const MAX_LENGTH = 1_000_000

/**
 * Parses JSON; undefined for a text that is no JSON, or has more than a million characters.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259
 */
export function readJson(text: string): unknown {
  if (text.length > MAX_LENGTH) return undefined
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Parses the JSON value that begins at an offset, whatever follows it; undefined if there is none. */
export function readJsonAt(text: string, from: number): unknown {
  const found = findJsonAt(text, from)
  return found.text === undefined ? undefined : readJson(found.text)
}

/** Finds the text of the JSON value at an offset, and the number of characters that were searched. */
export function findJsonAt(text: string, from: number): { readonly text?: string; readonly searched: number } {
  const start = from + (/^\s*/.exec(text.slice(from, from + 50))?.[0].length ?? 0)
  const { end, searched } = findEnd(text, start)
  return end === undefined ? { searched } : { text: text.slice(start, end), searched }
}

/** Finds the offset after the bracket that closes the one at an offset, or after the string that begins there. */
function findEnd(text: string, from: number): { readonly end?: number; readonly searched: number } {
  if (!/["[{]/.test(text[from] ?? '')) return { searched: 1 }
  const most = Math.min(text.length, from + MAX_LENGTH)
  let depth = 0
  for (let at = from; at < most; at += 1) {
    const sign = text[at]
    if (sign === '"') {
      const end = endOfString(text, at)
      if (end === undefined) return { searched: text.length - from }
      if (depth === 0) return { end, searched: end - from }
      at = end - 1
    } else if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') {
      depth -= 1
      if (depth === 0) return { end: at + 1, searched: at + 1 - from }
    }
  }
  return { searched: most - from }
}

function endOfString(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return undefined
}
