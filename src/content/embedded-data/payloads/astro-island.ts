import { decodeEntities } from '../../html/decode-entities.js'
import { endOfTag } from '../../rendering/html-tags.js'
import { isObject } from '../../../base/collections/is-object.js'
import { readJson } from '../read-json.js'
import type { Payload } from '../payload.js'

const MAX_ISLANDS = 200
const MAX_LEVELS = 60

/** Props that Astro passes to components in the browser: the attribute `props` of `<astro-island>`. */
export const astroIsland: Payload = {
  read({ html }) {
    return listProps(html).flatMap((attribute) => {
      const props = readJson(decodeEntities(attribute))
      if (!isObject(props)) return []
      return [{ source: 'astro-island', scope: 'page' as const, value: unpack([0, props], 0) }]
    })
  },
}

/** Lists the `props` attributes of the first 200 islands. */
function listProps(html: string): string[] {
  const found: string[] = []
  const starts = /<astro-island\s/g
  for (let start = starts.exec(html); start && found.length < MAX_ISLANDS; start = starts.exec(html)) {
    const end = endOfTag(html, start.index)
    const props = /\sprops="(\{[^"]*)"/.exec(html.slice(start.index, end))?.[1]
    if (props !== undefined) found.push(props)
    starts.lastIndex = end
  }
  return found
}

/** Restores a value from Astro's `[type, value]` pairs. Types: 0 plain, 1 array, 4 map, 5 set. */
function unpack(pair: unknown, level: number): unknown {
  if (!Array.isArray(pair) || level > MAX_LEVELS) return undefined
  const [kind, value] = pair as unknown[]
  if (kind === 0) {
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unpack(inner, level + 1)]))
  }
  if ((kind === 1 || kind === 5) && Array.isArray(value)) return value.map((inner) => unpack(inner, level + 1))
  return undefined
}
