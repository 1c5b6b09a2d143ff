import { readAttributes, scanTags } from './scan-tags.js'

/** A refresh of a page: its target is loaded in place of the page. */
interface Refresh {
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

/**
 * Finds the refresh in the source of a page, without parsing it: one in a comment or in `noscript` does not count. In time
 * linear in the length of the source.
 */
export function findRefresh(source: string): Refresh | undefined {
  let base: string | undefined
  for (const { name, at } of scanTags(source)) {
    if (name === 'base') base ??= readAttributes(source, at).href
    else if (name === 'meta') {
      const { 'http-equiv': kind = '', content } = readAttributes(source, at)
      const found = kind.trim().toLowerCase() === 'refresh' ? readRefresh(content) : undefined
      if (found !== undefined) return base === undefined ? found : { ...found, base }
    }
  }
  return undefined
}
