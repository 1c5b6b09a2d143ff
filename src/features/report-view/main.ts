import { byId, html } from './dom.js'
import { printCount, printDate, printDuration, printItems } from './format.js'
import {
  showBoilerplate,
  showDuplicates,
  showLinks,
  showOrphans,
  showRefusals,
  showSpeed,
  showTemplates,
} from './lists.js'
import { showOverview } from './overview.js'
import { type OpenView, showPages } from './page-table.js'
import { showPage } from './page-view.js'
import { Report } from './report.js'
import { readRoute, toHash } from './route.js'
import { showSite } from './site-tree.js'

/** Views of the report with their titles, besides the list of pages, which is the second. */
const VIEWS: readonly (readonly [name: string, title: string, show: (report: Report) => HTMLElement])[] = [
  ['overview', 'Overview', showOverview],
  ['site', 'Site', showSite],
  ['templates', 'Templates', showTemplates],
  ['speed', 'Speed', showSpeed],
  ['links', 'Links', showLinks],
  ['duplicates', 'Duplicates', showDuplicates],
  ['orphans', 'Sitemap', showOrphans],
  ['boilerplate', 'Boilerplate', showBoilerplate],
  ['robots', 'Robots', showRefusals],
]

/** Views about what a crawl found and did not scrape. A folder of documents does not know it. */
const CRAWL_VIEWS = ['orphans', 'robots']

const listViews = ({ facts }: Report): typeof VIEWS =>
  facts.kind === 'pages' ? VIEWS.filter(([name]) => !CRAWL_VIEWS.includes(name)) : VIEWS

/** Draws the report, and follows its address. */
function start(): void {
  const report = new Report()
  const { facts } = report
  byId('subject').textContent = facts.subject
  document.title = `${facts.subject}: trawl report`
  byId('summary').textContent = summarize(report)
  offerThemes()
  const links = drawNavigation(report)
  const main = byId('main')
  /** Scroll positions of views, for the way back. */
  const positions = new Map<string, number>()
  let open: OpenView = { element: html('div') }
  let view = ''
  const show = (): void => {
    const route = readRoute(location.hash)
    const isFirst = view === ''
    if (!isFirst) positions.set(view, window.scrollY)
    open.close?.()
    view = facts.kind === 'page' ? 'page/0' : facts.part && !route.view.startsWith('page/') ? 'pages' : route.view
    open = openView(report, view, route.parameters)
    main.replaceChildren(open.element)
    for (const [name, link] of links) {
      const isHere = name === view || (name === 'pages' && view.startsWith('page/'))
      if (isHere) {
        link.setAttribute('aria-current', 'page')
        link.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      } else link.removeAttribute('aria-current')
    }
    // After the frame in which a view draws its rows.
    requestAnimationFrame(() => window.scrollTo(0, view.startsWith('page/') ? 0 : (positions.get(view) ?? 0)))
    if (!isFirst) main.focus({ preventScroll: true })
  }
  window.addEventListener('hashchange', show)
  window.addEventListener('keydown', pressKey)
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault()
    main.focus()
  })
  show()
}

function openView(report: Report, view: string, parameters: URLSearchParams): OpenView {
  if (view === 'pages') return showPages(report, parameters)
  const [, number] = /^page\/(\d{1,9})$/.exec(view) ?? []
  if (number !== undefined) return { element: showPage(report, Number(number)) }
  const [, , show] = listViews(report).find(([name]) => name === view) ?? []
  return { element: (show ?? showOverview)(report) }
}

function summarize({ facts, pages }: Report): string {
  const { kind, state, stoppedBy, createdAt, duration, writtenAt, part } = facts
  const names = { crawl: 'Crawl', 'batch-scrape': 'Batch', pages: 'Pages', page: 'Page' }
  const about = [
    kind === 'page' || kind === 'pages' ? names[kind] : `${names[kind]} ${state}`,
    stoppedBy !== undefined && `stopped by ${stoppedBy}`,
    kind !== 'page' && printItems(pages.length, 'URL'),
    duration !== undefined && printDuration(duration * 1000),
    createdAt !== undefined && `started ${printDate(createdAt)}`,
    `written ${printDate(writtenAt)}`,
    part && `contents, part ${part.number}`,
  ]
  return about.filter((text) => typeof text === 'string').join(' · ')
}

function drawNavigation(report: Report): ReadonlyMap<string, HTMLElement> {
  const { facts, pages, orphans, boilerplate } = report
  const list = html('ul')
  const links = new Map<string, HTMLElement>()
  const counts: Readonly<Record<string, number>> = {
    pages: pages.length + facts.unlisted,
    templates: new Set(pages.map(({ template }) => template)).size,
    links: pages.filter(({ outcome, statusCode }) => outcome === 'failed' || statusCode >= 400).length,
    duplicates: pages.filter(({ duplicateOf }) => duplicateOf !== -1).length,
    orphans: orphans.length,
    boilerplate: boilerplate.length,
    robots: pages.filter(({ reason }) => ['ROBOTS_TXT', 'NOINDEX', 'NOFOLLOW'].includes(reason)).length,
  }
  const [overview, ...others] = listViews(report).map(([name, title]) => ({ name, title }))
  for (const { name, title } of [...(overview ? [overview] : []), { name: 'pages', title: 'Pages' }, ...others]) {
    const count = counts[name]
    const figure = count !== undefined && html('span', { class: 'count' }, printCount(count))
    const link = html('a', { href: toHash(name) }, title, ' ', figure)
    links.set(name, link)
    list.append(html('li', {}, link))
  }
  const navigation = byId('views')
  navigation.hidden = facts.kind === 'page' || facts.part !== undefined
  navigation.append(list)
  return links
}

function pressKey(event: KeyboardEvent): void {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key === '/' && !isTyping) {
    event.preventDefault()
    const search = document.getElementById('search')
    if (search) search.focus()
    else location.hash = '#pages'
  } else if (event.key === 'Escape' && location.hash.startsWith('#page/')) history.back()
}

start()

/** Names of the themes with the value of `color-scheme`. */
const THEMES = [
  ['system', 'light dark'],
  ['light', 'light'],
  ['dark', 'dark'],
] as const

/** Lets the reader choose a theme. Nothing is stored: a file has no storage of its own. */
function offerThemes(): void {
  const button = byId('theme')
  let at = 0
  button.addEventListener('click', () => {
    at = (at + 1) % THEMES.length
    const [name, scheme] = THEMES[at] ?? THEMES[0]
    document.documentElement.style.colorScheme = scheme
    button.textContent = `Theme: ${name}`
  })
}
