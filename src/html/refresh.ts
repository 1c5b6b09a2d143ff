import { decodeEntities } from './decode-entities.js'

/** A refresh of a page: its target is loaded in place of the page. */
export interface Refresh {
  /** Seconds until then. */
  readonly delay: number
  /** As it is written. */
  readonly url: string
}

/** Maximum length of a refresh that is read. Characters. */
const MAX_LENGTH = 10_000

/**
 * Reads a refresh, from `<meta http-equiv="refresh">` or a `Refresh` header: `5; url='/next'`.
 *
 * @returns undefined for one that loads the page again
 * @see https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
 */
export function readRefresh(content = ''): Refresh | undefined {
  const [, delay, url] = /^\s*([\d.]*)\s*[;,]?\s*(?:url\s*=\s*)?(.*)$/is.exec(content.slice(0, MAX_LENGTH)) ?? []
  const target = url?.trim().replace(/^(["'])(.*?)\1.*$/s, '$2')
  return target ? { delay: Number.parseFloat(delay ?? '') || 0, url: target } : undefined
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
    } else if (name === 'meta') {
      const found = readMeta(source, at)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** Reads the refresh of a `meta` element, whose attributes begin at an offset. */
function readMeta(source: string, from: number): Refresh | undefined {
  let content: string | undefined
  let isRefresh = false
  ATTRIBUTE.lastIndex = from
  for (let match = ATTRIBUTE.exec(source); match !== null; match = ATTRIBUTE.exec(source)) {
    const [, name = '', double, single, bare] = match
    const value = double ?? single ?? bare ?? ''
    if (name.toLowerCase() === 'http-equiv') isRefresh = value.trim().toLowerCase() === 'refresh'
    if (name.toLowerCase() === 'content') content = decodeEntities(value)
  }
  return isRefresh ? readRefresh(content) : undefined
}
