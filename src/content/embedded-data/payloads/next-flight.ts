import { isObject } from '../../../base/collections/is-object.js'
import { readJson, readJsonAt } from '../read-json.js'
import type { PageScript, Payload } from '../payload.js'

const MAX_LENGTH = 4_000_000

/**
 * The stream of the app router of Next.js: rows of React's flight format, in pieces, each one a call of
 * `self.__next_f.push([1, "…"])`. Elements are returned as they are written, `["$", type, key, props]`.
 */
export const nextFlight: Payload = {
  read({ scripts }) {
    const stream = joinPieces(scripts)
    if (stream === '') return []
    const rows = readRows(stream)
    const values = [...rows.values()].flatMap((row) => (typeof row === 'object' && row !== null ? [row] : []))
    return [{ source: '__next_f', scope: 'page', value: values.map((value) => resolve(value, rows, 0)) }]
  },
}

function joinPieces(scripts: readonly PageScript[]): string {
  let stream = ''
  for (const { text } of scripts) {
    const call = /^\s*(?:self|window)\.__next_f\.push\(/.exec(text.slice(0, 60))
    const piece = call && readJsonAt(text, call[0].length)
    if (Array.isArray(piece) && piece[0] === 1 && typeof piece[1] === 'string') stream += piece[1]
    if (stream.length > MAX_LENGTH) return ''
  }
  return stream
}

/** Reads rows: `id:JSON` up to the end of the line, and `id:Tlength,text` for long texts, with the length in hexadecimal bytes of UTF-8. */
function readRows(stream: string): Map<string, unknown> {
  const rows = new Map<string, unknown>()
  const bytes = Buffer.from(stream)
  for (let at = 0; at < bytes.length;) {
    const head = /^([\da-f]*):(?:T([\da-f]{1,7}),)?/.exec(bytes.toString('latin1', at, at + 40))
    if (head?.[2] !== undefined) {
      const from = at + head[0].length
      const to = Math.min(bytes.length, from + Number.parseInt(head[2], 16))
      rows.set(head[1] ?? '', bytes.toString('utf8', from, to))
      at = to
      continue
    }
    // Searched only for rows that end with their line: in a long text the next line end may be far away.
    const lineEnd = bytes.indexOf(10, at)
    const end = lineEnd < 0 ? bytes.length : lineEnd
    if (head) rows.set(head[1] ?? '', readJson(bytes.toString('utf8', at + head[0].length, end)))
    at = end + 1
  }
  return rows
}

const MAX_LEVELS = 200

/** Replaces references such as `$1f` by the texts in rows of their own. References to elements are not resolved. */
function resolve(value: unknown, rows: ReadonlyMap<string, unknown>, level: number): unknown {
  if (level > MAX_LEVELS) return undefined
  if (typeof value === 'string') {
    if (!value.startsWith('$')) return value
    if (value === '$') return value
    if (value.startsWith('$$')) return value.slice(1)
    const text = rows.get(value.slice(1))
    return typeof text === 'string' ? text : undefined
  }
  if (Array.isArray(value)) {
    // The type of an element refers to a tag or a component, not to a text.
    if (value[0] === '$') return ['$', value[1], null, resolve(value[3], rows, level + 1)]
    return value.map((inner) => resolve(inner, rows, level + 1))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner, rows, level + 1)]))
}
