import { isObject, type JsonObject } from '../../collections/is-object.js'
import { parseJson } from '../../text/parse-json.js'

/** What JSON-LD says that no meta tag said. @see https://schema.org/CreativeWork */
export interface StructuredData {
  readonly author?: string
  readonly publishedTime?: string
  readonly modifiedTime?: string
}

// Shops put their whole catalogue there; what is asked for here stands near the top.
const MAX_OBJECTS = 2000
const MAX_CHARACTERS = 2_000_000

/** Reads the author and the dates of the first thing described that has dates, or else of any. */
export function readStructuredData(blocks: readonly string[]): StructuredData {
  const objects = blocks.flatMap((block) => objectsIn(block))
  const work = objects.find((object) => typeof object['datePublished'] === 'string')
  const author =
    nameOf(work?.['author']) ?? objects.map((object) => nameOf(object['author'])).find((name) => name !== undefined)
  const publishedTime = work?.['datePublished']
  const modifiedTime = (work ?? objects.find((object) => typeof object['dateModified'] === 'string'))?.['dateModified']
  return {
    ...(author !== undefined && { author }),
    ...(typeof publishedTime === 'string' && { publishedTime }),
    ...(typeof modifiedTime === 'string' && { modifiedTime }),
  }
}

/** Every object of a block, outermost first. A block that is no JSON holds none. */
export function objectsIn(block: string): JsonObject[] {
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

/** A block as JSON, however it is wrapped; undefined when it is none. */
export function parseLoosely(block: string): unknown {
  if (block.length > MAX_CHARACTERS) return undefined
  const bare = withoutCdata(block)
  // Some systems leave line breaks inside of strings.
  for (const text of [bare, bare.replace(/[\r\n\t]+/g, ' ')]) {
    try {
      return parseJson(text)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  return undefined
}

/** Without the mark-up that some systems put around it, as if it were a script of 1999: `//<![CDATA[` and `//]]>`. */
function withoutCdata(block: string): string {
  const text = block.trim().replace(/^(?:\/\/|\/\*)?\s*<!\[?CDATA\[(?:\s*\*\/)?/, '')
  // From the end, step by step: a regular expression that ends in white space and `$` is quadratic on white space.
  const open = text.endsWith('*/') ? text.slice(0, -2).trimEnd() : text
  return open.endsWith(']]>')
    ? open
        .slice(0, -3)
        .trimEnd()
        .replace(/\/[/*]$/, '')
    : text
}

/** An author is a list of persons with a name; more levels than these are made to exhaust the stack. */
const MAX_LEVELS = 8

/** A name, the name of a person, or those of several. */
function nameOf(author: unknown, level = 0): string | undefined {
  if (level > MAX_LEVELS) return undefined
  if (typeof author === 'string') return /^https?:/.test(author) || author.trim() === '' ? undefined : author.trim()
  if (Array.isArray(author)) return author.flatMap((one) => nameOf(one, level + 1) ?? []).join(', ') || undefined
  return isObject(author) && !Array.isArray(author['name']) ? nameOf(author['name'], level + 1) : undefined
}
