import type { PageStory, RowStory } from '../report/report-data.js'
import { drawContent } from './content.js'
import { type Child, html, webLink } from './dom.js'
import { printBytes, printCount, printDate, printDuration, printShare } from './format.js'
import { note, outcomeChip, pageLink, section, table } from './parts.js'
import type { Page, Report } from './report.js'
import { toHash } from './route.js'

/** Shows one page: how it was found, what was decided, its attempts, and its content beside the original. */
export function showPage(report: Report, number: number): HTMLElement {
  const page = report.pages[number]
  if (!page) return section('Page', note('The report has no such page.'))
  const { facts } = report
  const view = html('article', { class: 'page-view' })
  const back = facts.kind !== 'page' && html('a', { class: 'back', href: backOf(report, page) }, '← All pages')
  view.append(html('div', { class: 'crumbs' }, back || ''), drawHead(page))
  const story = html('div', { class: 'story' }, note('…'))
  const content = html('div', { class: 'content' })
  view.append(...(facts.kind === 'page' ? [content, story] : [story, content]))
  void fill(report, page, story, content).catch((error: unknown) => {
    story.replaceChildren(html('p', { class: 'alert failed' }, `This page cannot be shown: ${String(error)}`))
  })
  return view
}

const backOf = ({ facts }: Report, { url }: Page): string =>
  facts.part ? `../${encodeURIComponent(facts.part.report)}${toHash('pages', { q: url })}` : '#pages'

function drawHead({ url, title, outcome, statusCode }: Page): HTMLElement {
  const heading = html('h2', {}, title === '' ? url : title)
  const status = statusCode > 0 && html('span', { class: statusCode >= 400 ? 'bad' : '' }, `HTTP ${statusCode}`)
  return html(
    'div',
    { class: 'page-head' },
    heading,
    html('p', {}, outcomeChip(outcome), ' ', status, ' ', webLink(url)),
  )
}

async function fill(report: Report, page: Page, story: HTMLElement, content: HTMLElement): Promise<void> {
  const [row, document] = await Promise.all([report.readRow(page), report.readContent(page)])
  story.replaceChildren()
  if (row) story.append(drawStory(report, page, row))
  if (row && row.attempts.length > 0 && report.facts.kind === 'crawl') story.append(drawAttempts(row, report))
  if (document) content.replaceChildren(...drawWarning(document), drawContent(document), ...drawFacts(document))
  else content.replaceChildren(explainAbsence(report, page))
}

function explainAbsence({ facts, pages }: Report, { content, outcome }: Page): HTMLElement {
  if (content && content[0] > 0) {
    const [part, , number] = content
    const href = `${encodeURIComponent(facts.partsFolder)}/${part}-${facts.partsId}.html${toHash(`page/${number}`)}`
    return html(
      'p',
      {},
      html('a', { class: 'action', href }, 'Open the content of this page'),
      ' in a file beside this report',
    )
  }
  const isListed = pages.length > 0 && facts.kind !== 'pages'
  return note(isListed && outcome === 'done' ? 'The job keeps no document of this page.' : 'There is no document.')
}

/** Draws how the URL was found and what was decided: what `explain` returns. */
function drawStory(report: Report, page: Page, row: RowStory): HTMLElement {
  const list = html('dl', { class: 'settings' })
  const add = (name: string, ...value: readonly Child[]): void => {
    list.append(html('dt', {}, name), html('dd', {}, ...value))
  }
  const { via, foundOn, anchor, depth, lastmod, alternates, score, refusal, failure, finalUrl, duplicateOf, credits } =
    row
  const where = foundOn === undefined ? '' : pageLink(report, page.foundOn)
  // Of its own direction: a control character in it would turn the words after it.
  const text = anchor === undefined ? [] : [' by the link “', html('bdi', {}, anchor), '”']
  const found = {
    seed: 'start',
    link: 'on ',
    redirect: 'by a redirect from ',
    sitemap: 'in the sitemap ',
    previous: 'in an earlier crawl ',
    search: 'in the search index ',
  }
  if (report.facts.kind !== 'page')
    add('Found', found[via], where, ...text, depth > 0 ? `, ${depth} from the start` : '')
  if (lastmod !== undefined) add('Last change', lastmod)
  if (via === 'sitemap') add('Linked', row.linked === true ? 'from another page' : 'from no other page of the crawl')
  if (alternates) add('Other languages', alternates.map(({ hreflang, url }) => `${hreflang}: ${url}`).join(', '))
  if (score) add('Score', html('code', {}, JSON.stringify(score)))
  if (refusal) add('Not kept', html('b', {}, refusal.reason), ` ${refusal.message}`)
  if (row.warning !== undefined && !page.content) add('Warning', row.warning)
  if (failure) add('Failed', html('b', {}, failure.code), ` ${failure.error}`)
  if (finalUrl !== undefined) add('Redirected to', webLink(finalUrl))
  if (duplicateOf !== undefined) add('Same content as', pageLink(report, page.duplicateOf))
  const referrers = report.referrers.get(page.number)
  if (referrers)
    add(
      'Linked from',
      html('ul', { class: 'links' }, ...referrers[2].map((from) => html('li', {}, pageLink(report, from)))),
    )
  if (credits !== undefined && report.facts.kind !== 'page') add('Credits', printCount(credits))
  if (row.endedAtMs !== undefined && report.facts.kind !== 'page') add('Ended', printDate(row.endedAtMs))
  return list.childElementCount === 0 ? html('div') : section('Decision', list)
}

function drawAttempts({ attempts }: RowStory, { facts }: Report): HTMLElement {
  type Attempt = (typeof attempts)[number]
  const result = ({ statusCode, code, error, blocks = [] }: Attempt): HTMLElement => {
    const signs = blocks.map(({ vendor = 'blocked', evidence }) =>
      html('div', { class: 'second' }, `${vendor}: ${evidence}`),
    )
    return html('div', {}, html('b', {}, statusCode ?? code ?? ''), ' ', error ?? '', ...signs)
  }
  const how = ({ fetcher = '', fetcherReason, proxyUsed }: Attempt): HTMLElement => {
    const proxy = proxyUsed === undefined ? '' : ` by a ${proxyUsed} proxy`
    return html('div', {}, `${fetcher}${proxy}`, html('div', { class: 'second' }, fetcherReason ?? ''))
  }
  const columns = [
    {
      title: 'Start',
      className: 'number',
      cell: ({ startedAtMs }: Attempt) => printDuration(Math.max(0, startedAtMs - facts.startedAtMs)),
    },
    {
      title: 'Took',
      className: 'number',
      cell: ({ startedAtMs, endedAtMs }: Attempt) => printDuration(endedAtMs - startedAtMs),
    },
    { title: 'Fetched by', cell: how },
    { title: 'Answer', className: 'wide', cell: result },
    {
      title: 'Next try',
      className: 'number',
      cell: ({ retryAtMs, endedAtMs }: Attempt) =>
        retryAtMs === undefined ? '' : `after ${printDuration(retryAtMs - endedAtMs)}`,
    },
  ]
  return section('Attempts', table(columns, attempts))
}

const drawWarning = ({ warning }: PageStory): HTMLElement[] =>
  warning === undefined ? [] : [html('p', { class: 'alert' }, warning)]

/** Draws what is known about the content: shares, metadata, further formats. */
function drawFacts({ fidelity, fields, cut }: PageStory): HTMLElement[] {
  const parts: HTMLElement[] = []
  if (cut.length > 0) parts.push(note(`Shortened for the report: ${cut.join(', ')}.`))
  if (fidelity) {
    const list = html('dl', { class: 'figures' })
    const add = (name: string, value: string | undefined): void => {
      if (value !== undefined) list.append(html('div', {}, html('dt', {}, name), html('dd', {}, value)))
    }
    const share = (value: number | undefined): string | undefined =>
      value === undefined ? undefined : printShare(value, 1)
    add('Visible words', printCount(fidelity.visibleWords))
    add('Words kept', share(fidelity.words))
    add('Links kept', share(fidelity.links))
    add('Table cells kept', share(fidelity.tableCells))
    add('Lines of code kept', share(fidelity.codeLines))
    parts.push(section('Share of the page that was kept', list))
  }
  const list = html('dl', { class: 'settings' })
  for (const [name, value] of fields) {
    const isLong = value.length > 200 || value.includes('\n')
    const shown = isLong
      ? html('details', {}, html('summary', {}, printBytes(value.length)), html('pre', {}, value))
      : html('span', {}, value)
    list.append(html('dt', {}, name), html('dd', {}, shown))
  }
  parts.push(section('Metadata', list))
  return parts
}
