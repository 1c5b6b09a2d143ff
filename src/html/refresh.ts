import { decodeEntities } from './decode-entities.js'

/** A refresh of a page: its target is loaded in place of the page. */
export interface Refresh {
  /** Seconds until then. */
  readonly delay: number
  /** As it is written; empty for the page itself. */
  readonly url: string
  /** The `href` of a `<base>` before it, which its URL is relative to. @default the URL of the page */
  readonly base?: string
}

/** Maximum length of a refresh that is read. Characters. */
const MAX_LENGTH = 10_000

/**
 * Reads a refresh, from `<meta http-equiv="refresh">` or a `Refresh` header: `5; url='/next'`.
 *
 * @returns undefined for text that is none
 * @see https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
 */
export function readRefresh(content = ''): Refresh | undefined {
  const [, delay, url] = /^\s*([\d.]*)\s*[;,]?\s*(?:url\s*=\s*)?(.*)$/is.exec(content.slice(0, MAX_LENGTH)) ?? []
  const target = url?.trim().replace(/^(["'])(.*?)\1.*$/s, '$2') ?? ''
  return target === '' && !delay ? undefined : { delay: Number.parseFloat(delay ?? '') || 0, url: target }
}

/** Elements whose content is no markup, or is not shown by a client with scripts. */
const UNREAD: ReadonlySet<string> = new Set(['iframe', 'noscript', 'script', 'style', 'template', 'textarea', 'title'])

const NAME = /[a-z]+/y
const ATTRIBUTE = /[\s/]*([^\s/=>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y

/**
 * Finds the refresh in the source of a page, without parsing it: one in a comment or in `noscript` does not count. In time
 * linear in the length of the source.
 */
export function findRefresh(source: string): Refresh | undefined {
  // Of the same length, which the lower case of other letters may not be.
  const lower = source.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let base: string | undefined
  for (let at = source.indexOf('<'); at !== -1; at = source.indexOf('<', at)) {
    if (source.startsWith('<!--', at)) {
      const end = source.indexOf('-->', at + 4)
      if (end === -1) return undefined
      at = end
      continue
    }
    at += 1
    NAME.lastIndex = at
    const [name = ''] = NAME.exec(lower) ?? []
    at += name.length
    if (UNREAD.has(name)) {
      at = lower.indexOf(`</${name}`, at)
      if (at === -1) return undefined
      at += 1
    } else if (name === 'base') base ??= readAttributes(source, at).href
    else if (name === 'meta') {
      const { 'http-equiv': kind = '', content } = readAttributes(source, at)
      const found = kind.trim().toLowerCase() === 'refresh' ? readRefresh(content) : undefined
      if (found !== undefined) return base === undefined ? found : { ...found, base }
    }
  }
  return undefined
}

interface ReadAttributes {
  'http-equiv'?: string
  content?: string
  href?: string
}

/** Reads attributes of an element, which begin at an offset. */
function readAttributes(source: string, from: number): ReadAttributes {
  const attributes: ReadAttributes = {}
  ATTRIBUTE.lastIndex = from
  for (let match = ATTRIBUTE.exec(source); match !== null; match = ATTRIBUTE.exec(source)) {
    const [, written = '', double, single, bare] = match
    const name = written.toLowerCase()
    if (name === 'http-equiv' || name === 'content' || name === 'href')
      attributes[name] ??= decodeEntities(double ?? single ?? bare ?? '')
  }
  return attributes
}
