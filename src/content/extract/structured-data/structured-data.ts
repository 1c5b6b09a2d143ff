import { onceFor } from '../../../base/collections/once-for.js'
import { isObject, type JsonObject } from '../../../base/collections/is-object.js'
import { isElement, textOf, walk } from '../../html/tree.js'
import type { ParsedPage } from '../../parse/parser.js'
import { parseLooseJson } from '../../../base/text/parse-loose-json.js'

/** Author and dates from JSON-LD or microdata, for pages whose meta tags have none. @see https://schema.org/CreativeWork */
export interface StructuredData {
  readonly author?: string
  readonly publishedTime?: string
  readonly modifiedTime?: string
}

// Shops put their whole catalogue there; author and dates stand near the top.
const MAX_OBJECTS = 2000
const MAX_CHARACTERS = 2_000_000

/** Reads author and dates, of the first object with a publication date or else of any. */
export function readStructuredData(blocks: readonly string[]): StructuredData {
  const objects = blocks.flatMap((block) => objectsIn(block))
  const work = objects.find((object) => typeof object['datePublished'] === 'string')
  const byId = new Map(objects.filter(isDescribed).map((object) => [object['@id'], object]))
  let author = nameOf(work?.['author'], byId)
  for (const object of objects) author ??= nameOf(object['author'], byId)
  const publishedTime = work?.['datePublished']
  const modifiedTime = (work ?? objects.find((object) => typeof object['dateModified'] === 'string'))?.['dateModified']
  return {
    author,
    publishedTime: typeof publishedTime === 'string' ? publishedTime : undefined,
    modifiedTime: typeof modifiedTime === 'string' ? modifiedTime : undefined,
  }
}

/** Returns all objects of the JSON-LD blocks of a page. They are read once for each page. */
export const readJsonLd: (page: ParsedPage) => readonly JsonObject[] = onceFor((page) => {
  const objects: JsonObject[] = []
  walk(page.tree.root, (node) => {
    if (!isElement(node) || node.name !== 'script') return
    if (/^application\/ld\+json/i.test(node.attribs['type'] ?? '')) objects.push(...objectsIn(textOf(node)))
  })
  return objects
})

/** Returns all objects of a JSON-LD block, outermost first; none if it is not JSON. */
function objectsIn(block: string): JsonObject[] {
  const found: JsonObject[] = []
  const queue: unknown[] = [parseLoosely(block)]
  for (let at = 0; at < queue.length && found.length < MAX_OBJECTS; at++) {
    const value = queue[at]
    if (Array.isArray(value)) queue.push(...value.slice(0, MAX_OBJECTS))
    else if (isObject(value)) {
      found.push(value)
      queue.push(...Object.values(value).slice(0, MAX_OBJECTS))
    }
  }
  return found
}

/** True for a JSON-LD block that is not parsed. */
export const isTooLong = (block: string): boolean => block.length > MAX_CHARACTERS

/** Parses a JSON-LD block, tolerating the damages that search engines do; undefined if it is not JSON. */
export const parseLoosely = (block: string): unknown => (isTooLong(block) ? undefined : parseLooseJson(block))

/** True for an object that says more of a thing than which one it is. */
const isDescribed = (object: JsonObject): boolean => typeof object['@id'] === 'string' && 'name' in object

/** False for the URL of an author's profile, which some sites have in place of the name. */
export const isName = (text: string): boolean => text.trim() !== '' && !/^https?:/.test(text)

/** Objects by their `@id`, to which authors refer. */
type ObjectsById = ReadonlyMap<unknown, JsonObject>

/** Maximum nesting of an author. Deeper values are made to exhaust the stack. */
const MAX_LEVELS = 8

/** Returns a name: a string, the name of a person, or the names of several. */
function nameOf(author: unknown, byId: ObjectsById): string | undefined {
  const names = new Set<string>()
  addNames(author, { byId, named: new Set(), names })
  return names.size === 0 ? undefined : [...names].join(', ')
}

interface NameSearch {
  readonly byId: ObjectsById
  /** Objects that were referred to. Each is named once: a million references to a long name would fill the memory. */
  readonly named: Set<JsonObject>
  readonly names: Set<string>
}

function addNames(author: unknown, search: NameSearch, level = 0): void {
  if (level > MAX_LEVELS) return
  if (typeof author === 'string') {
    if (isName(author)) search.names.add(author.trim())
  } else if (Array.isArray(author)) for (const one of author) addNames(one, search, level + 1)
  else if (isObject(author)) {
    const { name } = author
    if (name !== undefined) return Array.isArray(name) ? undefined : addNames(name, search, level + 1)
    const described = search.byId.get(author['@id'])
    if (described === undefined || search.named.has(described)) return
    search.named.add(described)
    addNames(described, search, level + 1)
  }
}
