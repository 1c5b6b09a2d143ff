import { withoutLastSlashes } from '../../url.js'
import { decodeEntities } from '../../html/decode-entities.js'

/** The start of a page that is searched for titles. Characters. */
const HEAD_LENGTH = 200_000
/** A slug with fewer words does not name its page. */
const MIN_SLUG = 3
/** Words of a slug that are compared. */
const MAX_SLUG = 50
/** Titles of a page that are compared: `title`, and those of Open Graph and Twitter. */
const MAX_TITLES = 8
/** A longer title is compared by its start; a longer address matches nothing. Characters. */
const MAX_NAME = 2_000

/** Tells which item of a page's data is the page itself. */
export interface PageName {
  /** Tells whether an item with this title is the page. */
  matchesTitle(title: string): boolean
  /** Tells whether an item with this address is the page: its path, or the end of it. */
  matchesAddress(address: string): boolean
}

/** Reads the title of a page, its titles for Open Graph and Twitter, and its URL. */
export function readPageName(html: string, url: string): PageName {
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
      const own = URL.canParse(address, url) ? plainPath(new URL(address, url).href) : undefined
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

/** Tells whether words occur in others, in the same order and next to each other. */
const isPartOf = (words: readonly string[], whole: readonly string[]): boolean =>
  ` ${whole.join(' ')} `.includes(` ${words.join(' ')} `)

function plainPath(url: string): string {
  const path = new URL(url).pathname.toLowerCase().replace(/\/(?:index)?(?:\.html?)?$|\.html?$/, '')
  return path === '' ? '/' : path
}
