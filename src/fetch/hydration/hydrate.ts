import type { FetchedPage } from '../fetched-page.js'
import { listScripts } from '../embedded-data/list-scripts.js'
import { isMountPoint } from '../rendering/mount-points.js'
import { MAX_BYTES, scanPageText } from '../rendering/scan-page-text.js'
import { type PageName, readPageName } from './page-name.js'
import type { DataScope, PageData } from '../embedded-data/payload.js'
import * as payloads from '../payloads/index.js'
import { type DataText, readData, type DataItem } from './read-data.js'

/** A page whose text was taken from the data that it brings for its scripts. */
export interface HydratedPage {
  readonly page: FetchedPage
  /** Which data, e.g. `__NEXT_DATA__`. */
  readonly source: string
  /** Whether that is the page's text, so that a browser would find no more that matters. */
  readonly isSure: boolean
}

/** The same where it may take its time. @throws whatever `signal` was aborted with */
export type HydratePage = (page: FetchedPage, signal: AbortSignal) => Promise<HydratedPage | undefined>

/** Words that are taken for a page's text; what it tells search engines never is. */
const MIN_WORDS: Readonly<Record<DataScope, number>> = { page: 60, state: 60, description: Infinity }
/** Words from which on a thing of the page's name is its text, however much else there is. */
const LONG = 250
/** Share of all words that is the main part, if any is. */
const MAIN_SHARE = 0.6
/** Letters of a word, its space with it. */
const WORD_LENGTH = 6

/**
 * Takes the text of a page that its scripts would show from the data that it brings for them, and puts it to where they
 * would. The rest of the page stays as it is, its scripts too.
 *
 * It is sure of it when the data hold a thing with this page's title or address and a body of 60 words or more, and
 * that is most of the data, or has 250 words. Where nothing in the framework's own data is named so, one thing with a title, or
 * one list of three and more, must make up most of them. It is not sure when a text ends in the middle or a list is still
 * empty, nor of what the page only tells search engines.
 *
 * @returns undefined where there is no such data, or no more in it than on the page
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
  // A byte order mark says what the text is in, whatever the header says of what the server sent.
  const body = new TextEncoder().encode(`\uFEFF${html.slice(0, from)}${content}${html.slice(to)}`)
  return {
    page: { ...page, body, hydratedFrom: best.source },
    source: best.source,
    isSure: best.isSure && !isHashRoute(page.url),
  }
}

/** As UTF-8, if that is what it is. */
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
  // Data for several pages, and for what stands around them: only this page's part is shown.
  const text = own ? readData(own.value) : all
  const isNamed = own !== undefined && (own.bodyWords >= LONG || own.bodyWords >= all.words * MAIN_SHARE)
  const addressed = all.items.filter(({ addresses }) => addresses.length > 0)
  const isAll = !own && scope === 'page' && addressed.length === 0 && all.mainWords >= all.words * MAIN_SHARE
  const isEnough = Math.max(text.bodyWords, text.mainWords) >= MIN_WORDS[scope]
  return { source, text, isSure: (isNamed || isAll) && isEnough && !text.isCut }
}

/** The thing that is the page: of several in each other, the innermost that has most of their text. */
function findOwn(items: readonly DataItem[], name: PageName): DataItem | undefined {
  const own = items.filter(
    ({ addresses, title }) => addresses.some(name.matchesAddress) || (title !== undefined && name.matchesTitle(title)),
  )
  const most = Math.max(...own.map(({ bodyWords }) => bodyWords))
  return own.find(({ bodyWords }) => bodyWords >= most * MAIN_SHARE)
}

/** What such an address shows is decided by scripts: the server never saw it. */
const isHashRoute = (url: string): boolean => /^#!?\//.test(new URL(url).hash)
