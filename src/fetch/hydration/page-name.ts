import { withoutLastSlashes } from '../../url.js'
import { decodeEntities } from '../../html/decode-entities.js'

/** Where a page's own titles are looked for. Characters. */
const HEAD_LENGTH = 200_000
/** Words that an address must have to say what its page is called. */
const MIN_SLUG = 3
/** Words of an address that are compared. */
const MAX_SLUG = 50
/** Titles that a page is taken to have: its own, and those that it tells others. */
const MAX_TITLES = 8
/** A longer title, or address, is compared by its start. Characters. */
const MAX_NAME = 2_000

/** Tells what is the page itself among the things that its data speak of. */
export interface PageName {
  /** Whether a thing of this title is the page. */
  matchesTitle(title: string): boolean
  /** Whether a thing with this address is the page: the same path, or the end of it. */
  matchesAddress(address: string): boolean
}

/** By its title, by what it tells others that it is called, and by its URL. */
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

/** Whether words stand in others, in their order and next to each other. */
const isPartOf = (words: readonly string[], whole: readonly string[]): boolean =>
  ` ${whole.join(' ')} `.includes(` ${words.join(' ')} `)

function plainPath(url: string): string {
  const path = new URL(url).pathname.toLowerCase().replace(/\/(?:index)?(?:\.html?)?$|\.html?$/, '')
  return path === '' ? '/' : path
}
