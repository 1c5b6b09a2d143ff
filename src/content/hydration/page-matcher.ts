import { parseUrl, withoutLastSlashes } from '../../base/url.js'
import { decodeEntities } from '../html/decode-entities.js'

/** Length of the start of a page that is searched for titles. Characters. */
const HEAD_LENGTH = 200_000
/** Minimum number of words of a slug that is compared with titles. */
const MIN_SLUG = 3
/** Maximum number of words of a slug to compare. */
const MAX_SLUG = 50
/** Maximum number of a page's titles to compare: `title`, and those of Open Graph and Twitter. */
const MAX_TITLES = 8
/**
 * Maximum length of a title or an address. Of a longer title the start is compared; a longer address does not match.
 * Characters.
 */
const MAX_NAME = 2_000

/** Recognizes the item of a page's data that describes the page itself. */
export interface PageMatcher {
  /** Tests whether an item with this title describes the page. */
  matchesTitle(title: string): boolean
  /**
   * Tests whether an item with this address describes the page: the address must be the page's path, or the end of it.
   */
  matchesAddress(address: string): boolean
}

/** Creates a matcher from the titles of a page (`title`, Open Graph, Twitter) and its URL. */
export function createPageMatcher(html: string, url: string): PageMatcher {
  const titles = readTitles(html.slice(0, HEAD_LENGTH)).slice(0, MAX_TITLES).map(wordsOf)
  const path = plainPath(url)
  const slug = wordsOf(path.slice(path.lastIndexOf('/') + 1)).slice(0, MAX_SLUG)
  return {
    matchesTitle(title) {
      const words = wordsOf(title)
      if (words.length === 0) return false
      const isTitle = titles.some(
        (own) => isPartOf(words, own) && (words.length >= 3 || words.length * 2 >= own.length),
      )
      if (isTitle || slug.length < MIN_SLUG) return isTitle
      const named = new Set(words)
      return slug.filter((word) => named.has(word)).length >= slug.length * 0.7
    },
    matchesAddress(address) {
      if (address.length > MAX_NAME) return false
      const parsed = parseUrl(address, url)
      const own = parsed && plainPath(parsed.href)
      const end = withoutLastSlashes(address.replace(/^\/+/, '')).toLowerCase()
      return own === path || (end !== '' && path.endsWith(`/${end}`))
    },
  }
}

function readTitles(head: string): string[] {
  const title = /<title[^<>]{0,200}>([^<]{1,1000})/i.exec(head)?.[1]
  const metas = [...head.matchAll(/<meta\s[^<>]*>/gi)].map(([tag]) => tag)
  const named = metas.filter((tag) => /\s(?:property|name)=["']?(?:og:title|twitter:title)\b/i.test(tag))
  const contents = named
    .map((tag) => /\scontent=(?:"([^"]*)"|'([^']*)')/i.exec(tag))
    .map((match) => match?.[1] ?? match?.[2])
  return [title, ...contents].flatMap((text) => (text === undefined || text.trim() === '' ? [] : decodeEntities(text)))
}

const wordsOf = (text: string): string[] =>
  text
    .slice(0, MAX_NAME)
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Tests whether a sequence of words occurs in another one without gaps. */
const isPartOf = (words: readonly string[], whole: readonly string[]): boolean =>
  ` ${whole.join(' ')} `.includes(` ${words.join(' ')} `)

function plainPath(url: string): string {
  const path = new URL(url).pathname.toLowerCase().replace(/\/(?:index)?(?:\.html?)?$|\.html?$/, '')
  return path === '' ? '/' : path
}
