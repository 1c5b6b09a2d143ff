import { parseUrl } from '../../base/url.js'
import { html } from './dom.js'
import { printCount, printDuration, printItems } from './format.js'
import {
  addOutcome,
  folded,
  longList,
  note,
  type OutcomeCounts,
  outcomeBar,
  outcomeChip,
  pageLink,
  printPages,
  section,
  table,
} from './parts.js'
import type { Page, Report } from './report.js'
import { toHash } from './route.js'

/** Pages that a group names. */
const SAMPLES = 5
/** Pages in the list of the slowest ones. */
const MAX_SLOW = 50

/** Groups pages by a text, largest group first. Pages without one are left out. */
function groupBy(pages: readonly Page[], nameOf: (page: Page) => string): (readonly [string, readonly Page[]])[] {
  const groups = new Map<string, Page[]>()
  for (const page of pages) {
    const name = nameOf(page)
    const group = name === '' ? undefined : groups.get(name)
    if (group) group.push(page)
    else if (name !== '') groups.set(name, [page])
  }
  return [...groups].sort(([, one], [, other]) => other.length - one.length)
}

const countOutcomes = (pages: readonly Page[]): OutcomeCounts => {
  const counts: OutcomeCounts = {}
  for (const page of pages) addOutcome(counts, page)
  return counts
}

/** Returns the value that a share of sorted numbers is below. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const timesOf = (pages: readonly Page[]): number[] =>
  pages.flatMap(({ attemptMs }) => (attemptMs > 0 ? attemptMs : [])).sort((one, other) => one - other)

const listLinks = (report: Report, pages: readonly (number | string)[]): HTMLElement =>
  html('ul', { class: 'links' }, ...pages.map((page) => html('li', {}, pageLink(report, page))))

/** Shows the patterns of URLs, with samples. */
export function showTemplates(report: Report): HTMLElement {
  const groups = groupBy(
    report.pages.filter((page) => report.isOwn(page)),
    ({ template }) => template,
  )
  const others = groupBy(
    report.pages.filter((page) => !report.isOwn(page)),
    ({ template }) => template,
  )
  const columns = [
    {
      title: 'Template',
      className: 'wide',
      cell: ([template, pages]: (typeof groups)[number]) =>
        html(
          'div',
          {},
          html('code', { class: 'cut', title: template }, template),
          listLinks(
            report,
            pages.slice(0, SAMPLES).map(({ number }) => number),
          ),
        ),
    },
    { title: 'Outcomes', cell: ([, pages]: (typeof groups)[number]) => outcomeBar(countOutcomes(pages)) },
    {
      title: 'URLs',
      className: 'number',
      cell: ([template, pages]: (typeof groups)[number]) =>
        html('a', { href: toHash('pages', { template }) }, printCount(pages.length)),
    },
    {
      title: 'Median time',
      className: 'number',
      cell: ([, pages]: (typeof groups)[number]) => printTime(quantile(timesOf(pages), 0.5)),
    },
  ]
  return section(
    'URL templates',
    table(columns, groups, 'templates'),
    others.length > 0 &&
      folded(`Templates of other hosts, of which nothing was scraped: ${printCount(others.length)}`, () =>
        table(columns, others, 'templates'),
      ),
  )
}

const printTime = (ms: number): string => (ms > 0 ? printDuration(ms) : '')

/** Shows the slowest hosts and pages. */
export function showSpeed(report: Report): HTMLElement {
  const tried = report.pages.filter(({ attemptMs }) => attemptMs > 0)
  if (tried.length === 0) return section('Speed', note('No page of this report has times.'))
  const hosts = groupBy(tried, ({ url }) => parseUrl(url)?.host ?? '').map(([host, pages]) => {
    const times = timesOf(pages)
    const failed = pages.filter(({ outcome }) => outcome === 'failed').length
    return { host, pages, failed, half: quantile(times, 0.5), most: quantile(times, 0.95) }
  })
  hosts.sort((one, other) => other.half - one.half)
  type Host = (typeof hosts)[number]
  const hostTable = table<Host>(
    [
      { title: 'Host', className: 'wide', cell: ({ host }) => html('a', { href: toHash('pages', { q: host }) }, host) },
      { title: 'Pages', className: 'number', cell: ({ pages }) => printCount(pages.length) },
      { title: 'Failed', className: 'number', cell: ({ failed }) => (failed > 0 ? printCount(failed) : '') },
      { title: 'Median', className: 'number', cell: ({ half }) => printDuration(half) },
      { title: '95 % below', className: 'number', cell: ({ most }) => printDuration(most) },
    ],
    hosts,
    'hosts',
  )
  const slow = tried.toSorted((one, other) => other.attemptMs - one.attemptMs).slice(0, MAX_SLOW)
  const pageTable = table<Page>(
    [
      { title: 'Page', className: 'wide', cell: ({ number }) => pageLink(report, number) },
      { title: 'Outcome', cell: ({ outcome }) => outcomeChip(outcome) },
      { title: 'Fetched by', cell: ({ fetcher }) => fetcher },
      { title: 'Tries', className: 'number', cell: ({ attempts }) => attempts },
      { title: 'Time', className: 'number', cell: ({ attemptMs }) => printDuration(attemptMs) },
    ],
    slow,
  )
  return html('div', {}, section('Slowest hosts', hostTable), section('Slowest pages', pageTable))
}

/** Shows broken links and redirects, each with the pages that lead there. */
export function showLinks(report: Report): HTMLElement {
  const broken = report.pages.filter(({ outcome, statusCode }) => outcome === 'failed' || statusCode >= 400)
  const moved = report.pages.filter(({ finalUrl }) => finalUrl !== '')
  const { linksFrom } = report.facts
  const origin =
    linksFrom === 'nothing'
      ? 'Of the pages that lead to one, the report knows only the first: no document has links.'
      : 'Linking pages are read from the content of pages. Links of menus are known only where a page was first found by one.'
  const from = { title: 'Linked from', className: 'wide', cell: ({ number }: Page) => drawReferrers(report, number) }
  const why = ({ statusCode, reason, message }: Page): HTMLElement =>
    html('span', { title: message }, html('b', {}, statusCode > 0 ? `${statusCode} ` : ''), reason)
  const url = { title: 'URL', className: 'wide', cell: ({ number }: Page) => pageLink(report, number) }
  const to = { title: 'Leads to', className: 'wide', cell: ({ finalUrl }: Page) => finalUrl }
  return html(
    'div',
    {},
    section(
      'Broken links',
      broken.length === 0 && note(printNoneBroken(report)),
      broken.length > 0 && note(origin),
      broken.length > 0 && table([url, { title: 'Problem', cell: why }, from], broken, 'broken links'),
    ),
    section(
      'Redirects',
      moved.length === 0 ? note('No URL was redirected.') : table([url, to, from], moved, 'redirects'),
    ),
  )
}

const printNoneBroken = ({ facts }: Report): string =>
  facts.kind === 'pages'
    ? 'Pages that failed are not known: a folder has documents only.'
    : 'No page failed or answered with an error.'

function drawReferrers(report: Report, number: number): HTMLElement {
  const [, count, from] = report.referrers.get(number) ?? [number, 0, []]
  if (count === 0) return html('span', { class: 'second' }, report.page(number)?.via ?? '')
  const list = listLinks(report, from.slice(0, SAMPLES))
  if (count > SAMPLES) list.append(html('li', { class: 'second' }, `and ${printPages(count - SAMPLES)} more`))
  return list
}

/** Shows groups of pages with the same or nearly the same content. */
export function showDuplicates(report: Report): HTMLElement {
  const copies = report.pages.filter(({ duplicateOf }) => duplicateOf !== -1)
  if (copies.length === 0) return section('Duplicates', note('No two pages have the same content.'))
  const clusters = groupBy(copies, ({ duplicateOf }) => String(duplicateOf))
  const draw = ([, pages]: (typeof clusters)[number]): HTMLElement => {
    const original = pages[0]?.duplicateOf ?? -1
    const show = ({ number, outcome }: Page): HTMLElement =>
      html('li', {}, outcomeChip(outcome), ' ', pageLink(report, number))
    const head = html(
      'h3',
      {},
      pageLink(report, original),
      html('span', { class: 'count' }, ` ${pages.length + 1} pages`),
    )
    return html('div', { class: 'cluster' }, head, longList(pages, show, html('ul', { class: 'links' }), 'copies'))
  }
  const text = `${printPages(copies.length)} in ${printCount(clusters.length)} clusters repeat another page. The first of each is in bold.`
  return section('Duplicates', note(text), longList(clusters, draw, html('div'), 'clusters'))
}

/** Shows entries of sitemaps that no other page links to. */
export function showOrphans(report: Report): HTMLElement {
  if (report.orphans.length === 0) return section('Orphans of the sitemap', note('None: pages link to every entry.'))
  const listed = report.pages.filter(({ via }) => via === 'sitemap').length
  const text =
    report.orphans.length < listed
      ? `${printCount(report.orphans.length)} of ${printCount(listed)} URLs that were found in a sitemap first are linked from no other page of this crawl.`
      : 'Of no URL that was found in a sitemap first the ledger knows a link from another page. Ledgers of earlier versions do not record such links.'
  const pages = report.orphans.flatMap((number) => report.page(number) ?? [])
  const columns = [
    { title: 'URL', className: 'wide', cell: ({ number }: Page) => pageLink(report, number) },
    { title: 'Outcome', cell: ({ outcome }: Page) => outcomeChip(outcome) },
    { title: 'Reason', cell: ({ reason }: Page) => reason },
  ]
  return section('Orphans of the sitemap', note(text), table(columns, pages, 'entries'))
}

/** Shows texts that repeat over pages and were left out. */
export function showBoilerplate(report: Report): HTMLElement {
  if (report.boilerplate.length === 0)
    return section('Learnt boilerplate', note('No block was left out because it repeats over pages.'))
  const columns = [
    { title: 'Text', className: 'wide', cell: ([text]: Report['boilerplate'][number]) => drawBlock(text) },
    { title: 'Pages', className: 'number', cell: ([, count]: Report['boilerplate'][number]) => printCount(count) },
    {
      title: 'Seen on',
      className: 'wide',
      cell: ([, , pages]: Report['boilerplate'][number]) => listLinks(report, pages.slice(0, 3)),
    },
  ]
  return section('Learnt boilerplate', table(columns, report.boilerplate, 'blocks'))
}

/** Draws a block that was left out, of its description: its text, and below it where it stands and why it was left out. */
function drawBlock(description: string): HTMLElement {
  const [, block = description, text] = /^(.*?): “(.*)”$/s.exec(description) ?? []
  const shown =
    text === undefined ? html('span', { class: 'second' }, 'No text, such as a picture') : html('span', {}, text)
  return html('div', {}, shown, html('div', { class: 'second' }, block))
}

/** Shows what robots.txt, and pages themselves, refused, by rule. */
export function showRefusals(report: Report): HTMLElement {
  const refused = report.pages.filter(({ reason }) => ['ROBOTS_TXT', 'NOINDEX', 'NOFOLLOW'].includes(reason))
  if (refused.length === 0) return section('Refused by robots rules', note('robots.txt and pages refused nothing.'))
  const groups = groupBy(refused, ({ message, reason }) => `${reason}: ${message}`)
  const draw = ([rule, pages]: (typeof groups)[number]): HTMLElement => {
    const head = html(
      'h3',
      {},
      html('bdi', {}, rule),
      html('span', { class: 'count' }, ` ${printItems(pages.length, 'URL')}`),
    )
    const show = ({ number }: Page): HTMLElement => html('li', {}, pageLink(report, number))
    return html('div', { class: 'cluster' }, head, longList(pages, show, html('ul', { class: 'links' }), 'URLs'))
  }
  return section('Refused by robots rules', longList(groups, draw, html('div'), 'rules'))
}
