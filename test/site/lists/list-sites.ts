import { readFileSync } from 'node:fs'
import { type Exchange, type Handler, readNumber, sendJson, sendPage } from '../exchange.js'
import { listRows, type Lantern, lanterns, listLanterns, rowTemplates } from './lanterns.js'

/** Ways in which a list goes on. */
export const listKinds = [
  'numbered',
  'next',
  'cursor',
  'window',
  'inner',
  'virtual',
  'more',
  'tabs',
  'embedded',
] as const
export type ListKind = (typeof listKinds)[number]

/**
 * Ways in which the pages are made: by the server, by the server and again in the browser as React does it, and in the
 * browser alone as Vue and Svelte do it.
 */
export const listFrameworks = ['plain', 'hydrated', 'reactive'] as const
export type ListFramework = (typeof listFrameworks)[number]

export interface ListSite {
  readonly kind: ListKind
  readonly framework: ListFramework
  /** Path of its first page. The query `?n=100` sets the number of entries. */
  readonly path: string
}

/** The sites with a list: each kind in each framework. */
export const listSites: readonly ListSite[] = listKinds.flatMap((kind) =>
  listFrameworks.map((framework) => ({ kind, framework, path: `/lists/${kind}/${framework}` })),
)

/** Entries of one page, of one answer to the browser, and panels of a page with tabs. */
const PAGE_SIZE = 20
const PANELS = 4

/** Kinds whose further entries are pages with URLs of their own. */
const isPaged = (kind: ListKind): boolean => kind === 'numbered' || kind === 'next' || kind === 'cursor'

/** Labels of the button that loads more. */
const moreLabels: Readonly<Record<ListFramework, string>> = {
  plain: 'Load more',
  hydrated: 'Weitere Laternen laden',
  reactive: 'もっと見る',
}

const titles = ['Harbour', 'Meadow', 'Tower', 'Quarry']

/** One part of a list, and what follows it. */
interface Part {
  readonly items: readonly Lantern[]
  /** Number of the page, from 1. */
  readonly page: number
  readonly lastPage: number
  /** Position of the first entry after the part; undefined at the end of the list. */
  readonly next: number | undefined
}

/**
 * Cuts a page out of the list. A later page begins with the last entry of the page before it, as if an entry had been
 * added to the front of the list meanwhile.
 */
function cutPart(count: number, page: number): Part {
  const from = (page - 1) * PAGE_SIZE
  const to = from + PAGE_SIZE
  return {
    items: listLanterns(Math.max(0, from - 1), Math.min(to, count)),
    page,
    lastPage: Math.max(1, Math.ceil(count / PAGE_SIZE)),
    next: to < count ? to : undefined,
  }
}

const toCursor = (at: number): string => Buffer.from(`after:${at}`).toString('base64url')
const readCursor = (text: string | null): number =>
  text === null ? 0 : Number(Buffer.from(text, 'base64url').toString().split(':')[1])

/** Returns the number of the page that a URL asks for, by the parameter of its kind. */
function readPageNumber({ searchParams }: URL, kind: ListKind): number {
  if (kind === 'next') return Number(searchParams.get('start') ?? 0) / PAGE_SIZE + 1
  if (kind === 'cursor') return readCursor(searchParams.get('after')) / PAGE_SIZE + 1
  return Number(searchParams.get('page') ?? 1)
}

/** Returns the address of a page of a list, relative to its first page. */
function addressOf(kind: ListKind, count: number, page: number): string {
  const start = (page - 1) * PAGE_SIZE
  if (kind === 'next') return `?n=${count}&start=${start}`
  return kind === 'cursor' ? `?n=${count}&after=${toCursor(start)}` : `?n=${count}&page=${page}`
}

/** Writes the links to other pages. The pages of the hydrated framework have buttons, and the numbers in their data. */
function printPagination(kind: ListKind, framework: ListFramework, count: number, { page, lastPage }: Part): string {
  if (lastPage === 1 || !isPaged(kind)) return ''
  const link = (to: number, label: string, more = ''): string =>
    `<a href="${addressOf(kind, count, to).replaceAll('&', '&amp;')}"${more}>${label}</a>`
  if (kind === 'numbered') {
    const numbers = [...new Set([1, 2, page - 1, page, page + 1, lastPage])].filter((to) => to >= 1 && to <= lastPage)
    const one = (to: number): string => {
      if (to === page) return `<span aria-current="page">${to}</span>`
      return framework === 'hydrated' ? `<button type="button">${to}</button>` : link(to, String(to))
    }
    return `<nav class="pagination">${numbers
      .toSorted((a, b) => a - b)
      .map(one)
      .join(' ')}</nav>`
  }
  if (page === lastPage) return ''
  const label = kind === 'next' ? 'Next ›' : 'Older lanterns'
  return `<p class="further">${link(page + 1, label, kind === 'next' && framework !== 'plain' ? ' rel="next"' : '')}</p>`
}

const read = (name: string): string => readFileSync(new URL(`client/${name}`, import.meta.url), 'utf8')

/** Escapes JSON for a `script` element. */
const embed = (id: string, value: unknown): string =>
  `<script id="${id}" type="application/json">${JSON.stringify(value).replaceAll('<', String.raw`\u003c`)}</script>`

/** Writes all entries into the page, of which it shows the first ones, as the page's script reads them. */
function embedAll(framework: ListFramework, count: number): string {
  const catalogue = { total: count, lanterns: lanterns(count) }
  if (framework === 'hydrated') return embed('__NEXT_DATA__', { props: { pageProps: { catalogue } } })
  if (framework === 'reactive') return embed('state', { catalogue })
  return `<script>window.__INITIAL_STATE__ = ${JSON.stringify({ catalogue })}</script>`
}

function printMain({ kind, framework }: ListSite, count: number, part: Part): string {
  // The server of the reactive framework sends no entries, and no panel of tabs.
  const rows = framework === 'reactive' || kind === 'tabs' || kind === 'virtual' ? [] : listRows(part.items, framework)
  const list = `<ul class="lanterns">${rows.map(({ html }) => html).join('')}</ul>`
  const total = kind === 'window' || (kind === 'numbered' && framework === 'plain')
  const intro = `<h1>Lanterns</h1><p>All lanterns of the collection, in the order in which they were found.</p>`
  const counted = total && framework !== 'reactive' ? `<p class="count">${count} lanterns</p>` : ''
  return `${intro}${counted}<div id="list">${list}</div>`
}

/** Serves a page of a list. */
const servePage =
  (site: ListSite): Handler =>
  (exchange) => {
    const { kind, framework } = site
    const count = readNumber(exchange, 'n', 100)
    const part = cutPart(count, isPaged(kind) ? readPageNumber(exchange.url, kind) : 1)
    const isFirstOnly = framework === 'reactive' || kind === 'tabs'
    const config = {
      kind,
      framework,
      count,
      pageSize: PAGE_SIZE,
      panels: titles,
      moreLabel: moreLabels[framework],
      row: rowTemplates[framework],
      ad: rowTemplates.ad,
      items: isFirstOnly ? [] : kind === 'virtual' ? lanterns(count) : part.items,
      next: part.next,
      page: part.page,
      pagination: printPagination(kind, framework, count, part),
    }
    const { page, lastPage } = part
    const data =
      kind === 'numbered' && framework === 'hydrated'
        ? embed('__NEXT_DATA__', { props: { pageProps: { currentPage: page, totalPages: lastPage } }, query: { page } })
        : kind === 'embedded'
          ? embedAll(framework, count)
          : ''
    const pagination = framework === 'reactive' ? '' : config.pagination
    const script = `<script>${read(`${framework}.js`)}\n${read('lists.js')}</script>`
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lanterns</title><style>${read('style.css')}</style></head>
<body><header><nav><a href="/">Home</a> <a href="/about">About</a></nav></header>
<main>${printMain(site, count, part)}<div id="pages">${pagination}</div></main>
<footer><h2>From our magazine</h2><ul id="magazine"><li><a href="/magazine/0">Story 0</a></li></ul></footer>
${embed('config', config)}${data}${script}</body></html>`
    const isLinked = kind === 'next' && framework === 'plain' && part.page < part.lastPage
    const next: Record<string, string> = isLinked
      ? { link: `<${addressOf(kind, count, part.page + 1)}>; rel="next"` }
      : {}
    sendPage(exchange, html, 200, next)
  }

/** Answers `/lists/api/offset`, `/page`, `/cursor` and `/panel`, each in a form of its own. */
const serveData: Readonly<Record<string, (exchange: Exchange, count: number) => unknown>> = {
  offset: (exchange, count) => {
    const offset = readNumber(exchange, 'offset', 0)
    const items = listLanterns(offset, Math.min(count, offset + readNumber(exchange, 'limit', PAGE_SIZE)))
    return { items, total: count }
  },
  page: (exchange, count) => {
    const { items, next, lastPage, page } = cutPart(count, readNumber(exchange, 'page', 1))
    return { data: { results: items, pageInfo: { page, lastPage, hasNextPage: next !== undefined } } }
  },
  cursor: ({ url }, count) => {
    const at = readCursor(url.searchParams.get('cursor'))
    const next = at + PAGE_SIZE
    const items = listLanterns(at, Math.min(count, next))
    return { lanterns: items, nextCursor: next < count ? toCursor(next) : null }
  },
  panel: (exchange, count) => {
    const panel = readNumber(exchange, 'panel', 0)
    return { items: lanterns(count).filter((_, at) => at % PANELS === panel) }
  },
}

const data = Object.entries(serveData).map(([name, answer]): [string, Handler] => [
  `/lists/api/${name}`,
  (exchange) => sendJson(exchange, answer(exchange, readNumber(exchange, 'n', 100))),
])

/** The pages of all {@link listSites}, for `startSite`. */
export const listPages: Readonly<Record<string, Handler>> = Object.fromEntries([
  ...listSites.map((site): [string, Handler] => [site.path, servePage(site)]),
  ...data,
])
