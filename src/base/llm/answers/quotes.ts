import type { JsonSchema } from '../../json-schema/json-schema.js'
import { isObject } from '../../collections/is-object.js'
import { parseJson } from '../../text/parse-json.js'

/** Words of the page that a model cites for a value. */
export interface QuotedPath {
  /** JSON Pointer of the value in the model's answer. */
  readonly path: string
  readonly quote: string
}

const QUOTES: JsonSchema = {
  type: 'array',
  description:
    'For each value in data: where it stands in data, as a JSON Pointer, and the words of the page that say it, verbatim and short.',
  items: {
    type: 'object',
    properties: { path: { type: 'string' }, quote: { type: 'string' } },
    required: ['path', 'quote'],
  },
}

/**
 * Wraps a schema so that the answer has its quotes beside it. References to the root are redirected to the wrapped
 * schema.
 */
export function withQuotes(schema: JsonSchema | undefined): JsonSchema {
  const { $defs, definitions, $schema: _, ...data } = schema ?? { type: 'object' }
  const moved = parseJson(
    JSON.stringify({ data, $defs, definitions }).replace(
      /"\$ref":"#(?=["/])(?!\/\$defs|\/definitions)/g,
      '"$ref":"#/properties/data',
    ),
  ) as { data: JsonSchema; $defs?: JsonSchema; definitions?: JsonSchema }
  const { data: own, ...shared } = moved
  return { type: 'object', properties: { data: own, quotes: QUOTES }, required: ['data', 'quotes'], ...shared }
}

/** Separates an answer from its quotes; an answer without the wrapper has none. */
export function readQuotes(answer: unknown): { readonly data: unknown; readonly quotes: readonly QuotedPath[] } {
  if (!isObject(answer) || !('data' in answer)) return { data: answer, quotes: [] }
  const list: readonly unknown[] = Array.isArray(answer['quotes']) ? answer['quotes'] : []
  const quotes = list.flatMap((item): QuotedPath[] => {
    const { path, quote }: { path?: unknown; quote?: unknown } = Object(item)
    return typeof path === 'string' && typeof quote === 'string' && quote.trim() !== ''
      ? [{ path: toPointer(path), quote }]
      : []
  })
  return { data: answer['data'], quotes }
}

/** Normalises a path: models write `/data/a/0`, `a.0` and `a[0]` for `/a/0`. */
const toPointer = (path: string): string => {
  const pointer = path.startsWith('/')
    ? path
    : `/${path
        .replace(/^[$#.]+/, '')
        .replace(/\[(\d+)\]/g, '.$1')
        .replaceAll('.', '/')}`
  return pointer.replace(/^\/data(?=\/|$)/, '')
}
