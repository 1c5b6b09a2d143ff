/** More is not parsed, since it would hold up everything else. Characters. */
const MOST_LENGTH = 1_000_000

/** The value of a JSON text; undefined for what is none, and for more than a million characters. @see RFC 8259 */
export function readJson(text: string): unknown {
  if (text.length > MOST_LENGTH) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The JSON value that begins at an offset, whatever follows it; undefined where there is none. */
export function readJsonAt(text: string, from: number): unknown {
  const start = /^\s*/.exec(text.slice(from, from + 50))?.[0].length ?? 0
  const end = findEnd(text, from + start)
  return end === undefined ? undefined : readJson(text.slice(from + start, end))
}

/** Behind the bracket that closes the one at an offset, or behind the string that begins there. */
function findEnd(text: string, from: number): number | undefined {
  if (!/["[{]/.test(text[from] ?? '')) return undefined
  const marks = /["[\]{}]/g
  marks.lastIndex = from
  let depth = 0
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark.index - from > MOST_LENGTH) return undefined
    if (mark[0] === '"') {
      const end = endOfString(text, mark.index)
      if (end === undefined) return undefined
      if (depth === 0) return end
      marks.lastIndex = end
    } else {
      depth += mark[0] === '[' || mark[0] === '{' ? 1 : -1
      if (depth === 0) return mark.index + 1
    }
  }
  return undefined
}

function endOfString(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return undefined
}

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
