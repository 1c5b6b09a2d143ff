import { listScripts } from '../embedded-data/list-scripts.js'
import { isMountPoint } from '../rendering/html-tags.js'
import { MAX_BYTES, scanPageText } from '../rendering/scan-page-text.js'
import { type PageMatcher, createPageMatcher } from './page-matcher.js'
import type { DataScope, PageData } from '../embedded-data/payload.js'
import * as payloads from '../embedded-data/payloads/index.js'
import { type DataText, readData, type DataItem } from './read-data.js'

/** A page that may embed its text as data. */
interface EmbeddingPage {
  /** Its URL after redirects. */
  readonly url: string
  /** Its HTML, as it was received. */
  readonly body: Uint8Array
}

/** A page whose text was taken from the data that it embeds for its scripts. */
export interface HydratedPage<Page extends EmbeddingPage> {
  readonly page: Page & { readonly hydratedFrom: string }
  /** The source of the data, e.g. `__NEXT_DATA__`. */
  readonly source: string
  /** True if the data is the page's whole text, so that a browser would not find more. */
  readonly isSure: boolean
}

/**
 * A version of {@link hydrate} that may run on another thread.
 *
 * @throws the reason of `signal` when it is aborted
 */
export type HydratePage<Page extends EmbeddingPage> = (
  page: Page,
  signal: AbortSignal,
) => Promise<HydratedPage<Page> | undefined>

/** Minimum number of words for data to be the page's text. Metadata for search engines never is. */
const MIN_WORDS: Readonly<Record<DataScope, number>> = { page: 60, state: 60, description: Infinity }
/** Number of words from which an item with the page's title is its text, however much other data there is. */
const MIN_LONG_WORDS = 250
/** Minimum share of all words that makes an item or a list the main part. */
const MAIN_SHARE = 0.6
/** Average length of a word with the space after it. Characters. */
const WORD_LENGTH = 6

/**
 * Inserts the text that a page's scripts would show into its HTML. The text is read from the data that the page embeds
 * for its scripts. The rest of the page, including its scripts, stays unchanged.
 *
 * The result is sure if the data has an item with this page's title or address, and the item's body has at least 60
 * words and is most of the data, or has at least 250 words. If no item of the framework's own data has that title or
 * address, one titled item, or one list of at least three titled items, must be most of the data. The result is not
 * sure if a text is truncated, if a main list is empty, or if the data is metadata for search engines.
 *
 * @returns undefined if there is no such data, or if it has no more text than the page
 */
export function hydrate<Page extends EmbeddingPage>(page: Page): HydratedPage<Page> | undefined {
  if (page.body.byteLength > MAX_BYTES) return undefined
  const html = decode(page.body)
  if (html === undefined) return undefined
  const shell = scanPageText(page.body)
  const source = { html, scripts: listScripts(html) }
  const pageName = createPageMatcher(html, page.url)
  const found = Object.values(payloads).flatMap((payload) => payload.read(source).map((data) => assess(data, pageName)))
  const enough = found.filter(({ text }) => text.words * WORD_LENGTH > shell.ownLength)
  const best = enough.toSorted((a, b) => Number(b.isSure) - Number(a.isSure) || b.text.words - a.text.words)[0]
  if (!best || best.text.words === 0) return undefined
  const place =
    shell.emptyRanges.find(({ name }) => isMountPoint(name)) ?? shell.emptyRanges.find(({ name }) => name === 'main')
  const tag = place?.name === 'main' ? 'article' : 'main'
  const content = `<${tag} data-hydrated-from="${best.source}">\n${best.text.html}\n</${tag}>`
  const end = [...html.matchAll(/<\/body\s*>/gi)].at(-1)?.index ?? html.length
  const [from, to] = place ? [place.from, place.to] : [end, end]
  // The byte order mark takes precedence over the charset of the `Content-Type` header.
  const body = new TextEncoder().encode(`\uFEFF${html.slice(0, from)}${content}${html.slice(to)}`)
  return {
    page: { ...page, body, hydratedFrom: best.source },
    source: best.source,
    isSure: best.isSure && !isHashRoute(page.url),
  }
}

/** Decodes UTF-8; undefined for another encoding. */
function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

interface Assessment {
  readonly source: string
  readonly text: DataText
  readonly isSure: boolean
}

function assess({ source, scope, value }: PageData, name: PageMatcher): Assessment {
  const all = readData(value)
  const own = findOwn(all.items, name)
  // Data may be for several pages and for their navigation: only the item of this page is used.
  const text = own ? readData(own.value) : all
  const isMostlyOwn = own !== undefined && (own.bodyWords >= MIN_LONG_WORDS || own.bodyWords >= all.words * MAIN_SHARE)
  const withAddress = all.items.filter(({ addresses }) => addresses.length > 0)
  const isWholeData = !own && scope === 'page' && withAddress.length === 0 && all.mainWords >= all.words * MAIN_SHARE
  const isEnough = Math.max(text.bodyWords, text.mainWords) >= MIN_WORDS[scope]
  return { source, text, isSure: (isMostlyOwn || isWholeData) && isEnough && !text.isTruncated }
}

/** Finds the item that describes the page. Of nested ones it is the innermost that has most of their text. */
function findOwn(items: readonly DataItem[], name: PageMatcher): DataItem | undefined {
  const own = items.filter(
    ({ addresses, title }) => addresses.some(name.matchesAddress) || (title !== undefined && name.matchesTitle(title)),
  )
  const most = Math.max(...own.map(({ bodyWords }) => bodyWords))
  return own.find(({ bodyWords }) => bodyWords >= most * MAIN_SHARE)
}

/** Tests for a route in the URL's fragment. The server never receives it, so that only scripts know what is shown. */
const isHashRoute = (url: string): boolean => /^#!?\//.test(new URL(url).hash)
