import { isObject, type JsonObject } from '../../../base/collections/is-object.js'
import { resolveUrl } from '../../../base/url.js'
import type { FetchedPage } from '../../../kernel/fetch/fetched-page.js'
import { readPageData } from '../../../content/hydration/page-data.js'

/** Maximum values to search in the data of one page. */
const MAX_SEARCHED = 20_000

const CURRENT = /^(?:current_?page|page_?number|page_?no|page|current)$/iu
const LAST = /^(?:total_?pages|page_?count|pages_?count|last_?page|num_?pages|n_?pages|max_?page|pages)$/iu
const NEXT_URL = /^(?:next|next_?page|next_?url|next_?page_?url|next_?href|next_?link)$/iu

/** The next page of a list, by the data that a page embeds for its scripts. */
export interface NextInData {
  /** Absolute URL without a fragment. */
  readonly url: string
  readonly evidence: string
}

/**
 * Finds the next page of a list in the data that a page embeds for its scripts: a URL that is called "next", or the number of
 * the page with that of the last one, for URLs with the parameter `page`.
 */
export function findNextInData(page: FetchedPage): NextInData | undefined {
  const { url } = page
  const { state = [] } = readPageData(page) ?? {}
  const seen = new Set<unknown>()
  const queue: unknown[] = state.filter(({ scope }) => scope !== 'description').map(({ value }) => value)
  for (let at = 0; at < queue.length && at < MAX_SEARCHED; at++) {
    const value = queue[at]
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    const next = isObject(value) ? (readUrl(value, url) ?? readNumbers(value, url)) : undefined
    if (next) return next
    queue.push(...Object.values(value).slice(0, 1000))
  }
  return undefined
}

/** Reads a URL of the same place with another query. */
function readUrl(data: JsonObject, url: string): NextInData | undefined {
  for (const [name, value] of Object.entries(data)) {
    if (!NEXT_URL.test(name) || typeof value !== 'string' || !/^(?:\/|\?|https?:)/u.test(value)) continue
    const next = resolveUrl(value, url)
    const here = new URL(url)
    if (next?.origin !== here.origin || next.pathname !== here.pathname || next.search === here.search) continue
    next.hash = ''
    return { url: next.href, evidence: `\`${name}\` in the data of the page` }
  }
  return undefined
}

function readNumbers(data: JsonObject, url: string): NextInData | undefined {
  const names = Object.keys(data)
  const current = names.find((name) => CURRENT.test(name) && Number.isInteger(data[name]))
  const last = names.find((name) => LAST.test(name) && Number.isInteger(data[name]))
  if (current === undefined || last === undefined) return undefined
  const page = Number(data[current])
  const next = new URL(url)
  const parameter = [...next.searchParams.keys()].find((name) => /^(?:page|p)$/iu.test(name)) ?? 'page'
  // The number in the URL, from 1, has to be the one in the data.
  if (page < 1 || page >= Number(data[last]) || Number(next.searchParams.get(parameter) ?? 1) !== page) return undefined
  next.searchParams.set(parameter, String(page + 1))
  next.hash = ''
  return { url: next.href, evidence: `\`${current}\` and \`${last}\` in the data of the page` }
}
