import type { FetchedPage } from '../fetched-page.js'
import { listScripts } from '../embedded-data/list-scripts.js'
import { isMountPoint } from '../rendering/html-tags.js'
import { MAX_BYTES, scanPageText } from '../rendering/scan-page-text.js'
import { type PageName, readPageName } from './page-name.js'
import type { DataScope, PageData } from '../embedded-data/payload.js'
import * as payloads from '../payloads/index.js'
import { type DataText, readData, type DataItem } from './read-data.js'

/** A page whose text was taken from the data that it embeds for its scripts. */
export interface HydratedPage {
  readonly page: FetchedPage
  /** The source of the data, e.g. `__NEXT_DATA__`. */
  readonly source: string
  /** True where the data are the page's whole text, so that a browser would not find more. */
  readonly isSure: boolean
}

/**
 * Hydrates a page, on another thread for example.
 *
 * @throws the reason of `signal` when it is aborted
 */
export type HydratePage = (page: FetchedPage, signal: AbortSignal) => Promise<HydratedPage | undefined>

/** Minimum of words to be a page's text; a description for search engines never is. */
const MIN_WORDS: Readonly<Record<DataScope, number>> = { page: 60, state: 60, description: Infinity }
/** An item with the page's title and so many words is the page's text, however much other data there are. */
const LONG = 250
/** Minimum share of all words to be the main part. */
const MAIN_SHARE = 0.6
/** Average characters of a word, with a space. */
const WORD_LENGTH = 6

/**
 * Writes the text that a page's scripts would show into the page, from the data that it embeds for them. The rest of the page
 * stays as it is, its scripts included.
 *
 * The result is sure if the data hold an item with this page's title or address and a body of 60 words or more, which is
 * most of the data, or has 250 words. If no item in the framework's own data is named so, one item with a title, or one list
 * of three or more, must make up most of them. It is not sure if a text is cut, if a list is still empty, or if the data are
 * a description for search engines.
 *
 * @returns undefined if there are no such data, or no more text in them than on the page
 */
export function hydrate(page: FetchedPage): HydratedPage | undefined {
  if (page.body.byteLength > MAX_BYTES) return undefined
  const html = decode(page.body)
  if (html === undefined) return undefined
  const shell = scanPageText(page.body)
  const source = { html, scripts: listScripts(html) }
  const pageName = readPageName(html, page.url)
  const found = Object.values(payloads).flatMap((payload) => payload.read(source).map((data) => judge(data, pageName)))
  const enough = found.filter(({ text }) => text.words * WORD_LENGTH > shell.ownLength)
  const best = enough.toSorted((a, b) => Number(b.isSure) - Number(a.isSure) || b.text.words - a.text.words)[0]
  if (!best || best.text.words === 0) return undefined
  const place =
    shell.emptyPlaces.find(({ name }) => isMountPoint(name)) ?? shell.emptyPlaces.find(({ name }) => name === 'main')
  const tag = place?.name === 'main' ? 'article' : 'main'
  const content = `<${tag} data-hydrated-from="${best.source}">\n${best.text.html}\n</${tag}>`
  const end = [...html.matchAll(/<\/body\s*>/gi)].at(-1)?.index ?? html.length
  const [from, to] = place ? [place.from, place.to] : [end, end]
  // The byte order mark states the encoding of the body, whatever the header says about what the server sent.
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

interface Judged {
  readonly source: string
  readonly text: DataText
  readonly isSure: boolean
}

function judge({ source, scope, value }: PageData, name: PageName): Judged {
  const all = readData(value)
  const own = findOwn(all.items, name)
  // Data may be for several pages, and for their frame: only this page's part is shown.
  const text = own ? readData(own.value) : all
  const isNamed = own !== undefined && (own.bodyWords >= LONG || own.bodyWords >= all.words * MAIN_SHARE)
  const addressed = all.items.filter(({ addresses }) => addresses.length > 0)
  const isAll = !own && scope === 'page' && addressed.length === 0 && all.mainWords >= all.words * MAIN_SHARE
  const isEnough = Math.max(text.bodyWords, text.mainWords) >= MIN_WORDS[scope]
  return { source, text, isSure: (isNamed || isAll) && isEnough && !text.isCut }
}

/** Finds the item that is the page: the innermost of nested ones that has most of their text. */
function findOwn(items: readonly DataItem[], name: PageName): DataItem | undefined {
  const own = items.filter(
    ({ addresses, title }) => addresses.some(name.matchesAddress) || (title !== undefined && name.matchesTitle(title)),
  )
  const most = Math.max(...own.map(({ bodyWords }) => bodyWords))
  return own.find(({ bodyWords }) => bodyWords >= most * MAIN_SHARE)
}

/** Tells a route in the fragment: the server never receives it, so that scripts decide what is shown. */
const isHashRoute = (url: string): boolean => /^#!?\//.test(new URL(url).hash)
