/** Maximum length of the text of an entity, with the entities in it, in characters. */
const MAX_TEXT = 10_000
/** Maximum number of characters that references to entities add to a page. */
const MAX_ADDED = 1_000_000

/** Maximum number of entities; each may contain another one. */
const MAX_ENTITIES = 1000

/** Entities that XML defines; a declaration of them changes nothing. */
const PREDEFINED: ReadonlySet<string> = new Set(['lt', 'gt', 'amp', 'quot', 'apos'])

/**
 * Replaces the references to entities that the document type of an XHTML page declares, and removes the document type
 * if it has declarations, in which HTML would see markup.
 *
 * Files that it names are not loaded, and a page grows by a bounded length: further references stay as they are. A
 * document type that does not end is left as it is.
 *
 * @see https://www.w3.org/TR/xml/#sec-entity-decl
 */
export function expandEntities(source: string): string {
  const start = findDocumentType(source)
  const read = start === undefined ? undefined : readDocumentType(source, start)
  if (start === undefined || read === undefined || !read.hasSubset) return source
  const page = source.slice(0, start) + source.slice(read.end)
  return read.entities.size === 0 ? page : replaceReferences(page, read.entities)
}

/**
 * Returns the offset of the root element of XML, before which are comments, instructions and a document type; 0 if one of
 * these does not end.
 */
export function findRoot(source: string): number {
  const start = findDocumentType(source)
  const type = start === undefined ? undefined : readDocumentType(source, start)
  return skipMarkup(source, type?.end ?? 0) ?? 0
}

/** Returns the offset of the document type, which only comments, instructions and white space precede. */
function findDocumentType(source: string): number | undefined {
  const at = skipMarkup(source, 0)
  return at !== undefined && /^<!DOCTYPE\s$/i.test(source.slice(at, at + 10)) ? at : undefined
}

/** Returns the offset after comments, instructions and white space; undefined if one does not end. */
function skipMarkup(source: string, start: number): number | undefined {
  for (let at = start; ;) {
    while (/\s/.test(source.charAt(at))) at += 1
    const end = source.startsWith('<!--', at) ? '-->' : source.startsWith('<?', at) ? '?>' : undefined
    if (end === undefined) return at
    const close = source.indexOf(end, at)
    if (close === -1) return undefined
    at = close + end.length
  }
}

interface DocumentType {
  /** Offset after it. */
  readonly end: number
  /** True if it has declarations of its own. */
  readonly hasSubset: boolean
  /** Texts of the declared entities, as written. */
  readonly entities: ReadonlyMap<string, string>
}

/** Parts of a document type in which brackets and `>` have no meaning, by their first characters. */
const QUOTED: readonly (readonly [open: string, close: string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['"', '"'],
  ["'", "'"],
]

/** Matches the start of the declaration of an entity with a text, up to the quote before it. */
const ENTITY = /<!ENTITY\s{1,20}([\p{L}_:][\p{L}\p{N}_:.-]{0,99})\s{1,20}["']/uy

/** Reads a document type; undefined if it does not end. */
function readDocumentType(source: string, start: number): DocumentType | undefined {
  const entities = new Map<string, string>()
  let isInside = false
  let hasSubset = false
  for (let at = start + 2; at < source.length; at += 1) {
    const sign = source.charAt(at)
    if (sign === '[') isInside = hasSubset = true
    else if (sign === ']') isInside = false
    else if (sign === '>' && !isInside) return { end: at + 1, hasSubset, entities }
    ENTITY.lastIndex = at
    const entity = sign === '<' ? ENTITY.exec(source) : null
    if (entity !== null) at += entity[0].length - 1
    const quoted = QUOTED.find(([open]) => source.startsWith(open, at))
    if (quoted === undefined) continue
    const [open, close] = quoted
    const end = source.indexOf(close, at + open.length)
    if (end === -1) return undefined
    const name = entity?.[1]
    // The first declaration of a name counts.
    if (name !== undefined && entities.size < MAX_ENTITIES && !PREDEFINED.has(name) && !entities.has(name))
      entities.set(name, source.slice(at + 1, end))
    at = end + close.length - 1
  }
  return undefined
}

const REFERENCE = /&([\p{L}_:][\p{L}\p{N}_:.-]{0,99});/gu

const CDATA = '<![CDATA['
const CDATA_END = ']]>'

/** Replaces references outside of CDATA sections, which have none. */
function replaceReferences(page: string, entities: ReadonlyMap<string, string>): string {
  const texts = new Map<string, string | undefined>()
  const textOf = (name: string): string | undefined => {
    if (texts.has(name)) return texts.get(name)
    // An entity that contains itself has no text.
    texts.set(name, undefined)
    const written = entities.get(name)
    if (written === undefined || written.length > MAX_TEXT) return undefined
    const text = makeReplacer(textOf, MAX_TEXT)(written)
    // A quote of the text does not end the attribute that the reference is in.
    texts.set(name, text.includes('<') ? text : text.replaceAll('"', '&quot;').replaceAll("'", '&#39;'))
    return texts.get(name)
  }
  const replace = makeReplacer(textOf, MAX_ADDED)
  const pieces: string[] = []
  let at = 0
  for (;;) {
    const open = page.indexOf(CDATA, at)
    const close = open === -1 ? -1 : page.indexOf(CDATA_END, open)
    if (close === -1) break
    pieces.push(replace(page.slice(at, open)), page.slice(open, close))
    at = close
  }
  pieces.push(replace(page.slice(at)))
  return pieces.join('')
}

/** Creates a function that replaces references, up to a number of characters in all its calls. */
function makeReplacer(textOf: (name: string) => string | undefined, maxCharacters: number): (source: string) => string {
  let left = maxCharacters
  return (source) =>
    source.replace(REFERENCE, (reference, name: string) => {
      const text = textOf(name)
      if (text === undefined) return reference
      left -= text.length
      return left < 0 ? reference : text
    })
}
