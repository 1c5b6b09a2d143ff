import { decodeEntities } from './decode-entities.js'

/** A start tag in the source of a page. */
interface ScannedTag {
  /** Letters of its name, in lower case. */
  readonly name: string
  /** Offset behind its name, where its attributes begin. */
  readonly at: number
}

/** Elements whose content is no markup, or is not shown by a client with scripts. */
const UNREAD: ReadonlySet<string> = new Set(['iframe', 'noscript', 'script', 'style', 'template', 'textarea', 'title'])

const NAME = /[a-z]+/iy
const ATTRIBUTE = /[\s/]*([^\s/=>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y

/**
 * Finds the start tags in the source of a page, without parsing it: those that a client with scripts does not read are left out.
 * In time linear in the length of the source.
 */
export function* scanTags(source: string): Generator<ScannedTag, void, void> {
  for (let at = source.indexOf('<'); at !== -1; at = source.indexOf('<', at)) {
    if (source.startsWith('<!--', at)) {
      const end = source.indexOf('-->', at + 4)
      if (end === -1) return
      at = end
      continue
    }
    at += 1
    NAME.lastIndex = at
    const [written] = NAME.exec(source) ?? []
    if (written === undefined) continue
    const name = written.toLowerCase()
    at += name.length
    yield { name, at }
    if (!UNREAD.has(name)) continue
    at = findEndTag(source, name, at)
    if (at === -1) return
    at += 1
  }
}

/** Finds the end tag of an element from an offset on. @param name in lower case @returns -1 if there is none */
export function findEndTag(source: string, name: string, from: number): number {
  let at = source.indexOf('</', from)
  while (at !== -1 && source.slice(at + 2, at + 2 + name.length).toLowerCase() !== name)
    at = source.indexOf('</', at + 2)
  return at
}

/** Attributes that are read. */
interface ReadAttributes {
  'http-equiv'?: string
  content?: string
  href?: string
  name?: string
  rel?: string
  src?: string
}

const READ: ReadonlySet<string> = new Set(['http-equiv', 'content', 'href', 'name', 'rel', 'src'])

/** Reads attributes of an element, which begin at an offset. */
export function readAttributes(source: string, from: number): ReadAttributes {
  const attributes: ReadAttributes = {}
  ATTRIBUTE.lastIndex = from
  for (let match = ATTRIBUTE.exec(source); match !== null; match = ATTRIBUTE.exec(source)) {
    const [, written = '', double, single, bare] = match
    const name = written.toLowerCase()
    if (READ.has(name)) attributes[name as keyof ReadAttributes] ??= decodeEntities(double ?? single ?? bare ?? '')
  }
  return attributes
}

/** Maximum attributes of an element that {@link readAllAttributes} reads. */
const MAX_ATTRIBUTES = 50

/** The attributes of an element, and the offset behind them. Tags before that offset are text of an attribute. */
interface AllAttributes {
  /** Values by names in lower case. */
  readonly attributes: ReadonlyMap<string, string>
  readonly end: number
}

/** Reads all attributes of an element, which begin at an offset. */
export function readAllAttributes(source: string, from: number): AllAttributes {
  const attributes = new Map<string, string>()
  let end = from
  ATTRIBUTE.lastIndex = from
  for (let match = ATTRIBUTE.exec(source); match !== null; match = ATTRIBUTE.exec(source)) {
    const [, written = '', double, single, bare] = match
    const name = written.toLowerCase()
    end = ATTRIBUTE.lastIndex
    if (!attributes.has(name)) attributes.set(name, decodeEntities(double ?? single ?? bare ?? ''))
    if (attributes.size === MAX_ATTRIBUTES) break
  }
  return { attributes, end }
}

/** A start tag with its attributes. */
interface ReadTag extends AllAttributes {
  readonly name: string
}

/** Finds the start tags of some elements in the source of a page, with their attributes: see {@link scanTags}. */
export function* readTags(source: string, names: ReadonlySet<string>): Generator<ReadTag, void, void> {
  let end = 0
  for (const { name, at } of scanTags(source)) {
    if (at < end || !names.has(name)) continue
    const read = readAllAttributes(source, at)
    end = read.end
    yield { name, ...read }
  }
}
