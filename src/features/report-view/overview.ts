import type { Outcome } from '../../kernel/ledger/ledger.js'
import { outcomes } from '../report/report-data.js'
import { type Child, html, svg } from './dom.js'
import {
  outcomeNames,
  printBytes,
  printCount,
  printDate,
  printDuration,
  printItems,
  printNumber,
  printShares,
} from './format.js'
import { addOutcome, countTable, type OutcomeCounts, outcomeBar, section, sumOf } from './parts.js'
import type { Page, Report } from './report.js'
import { toHash } from './route.js'

/** Shows the job as a whole: outcomes, speed, cost and reasons. */
export function showOverview(report: Report): HTMLElement {
  const { facts, pages } = report
  const view = html('div', { class: 'overview' })
  if (facts.error !== undefined) view.append(html('p', { class: 'alert failed' }, `The job failed: ${facts.error}`))
  if (facts.warning !== undefined) view.append(html('p', { class: 'alert' }, facts.warning))
  view.append(showOutcomes(report), showFigures(report))
  if (pages.some(({ endedMs, attempts }) => endedMs >= 0 && attempts > 0))
    view.append(section('Pages per second', drawRate(pages)))
  const grid = html('div', { class: 'columns' })
  const tables: readonly (readonly [
    string,
    readonly Page[],
    (page: Page) => string | readonly string[],
    string,
    Outcome,
  ])[] = [
    [
      'Warnings of pages',
      pages.filter(({ warnings }) => warnings.length > 0),
      ({ warnings }) => warnings,
      'warning',
      'queued',
    ],
    ['Not scraped, by reason', pages.filter(({ outcome }) => outcome === 'skipped'), reasonOf, 'reason', 'skipped'],
    ['Failed, by code', pages.filter(({ outcome }) => outcome === 'failed'), reasonOf, 'reason', 'failed'],
    ['HTTP status', pages.filter(({ statusCode }) => statusCode > 0), statusOf, 'status', 'done'],
    [
      'How pages were fetched',
      pages.filter(({ fetcher }) => fetcher !== ''),
      ({ fetcher }) => fetcher,
      'fetcher',
      'done',
    ],
    ['How URLs were found', pages, ({ via }) => via, 'via', 'done'],
    ['Links from the start page', pages, ({ depth }) => String(depth), 'depth', 'done'],
  ]
  for (const [title, some, nameOf, parameter, className] of tables) {
    if (some.length > 0)
      grid.append(section(title, countBy({ pages: some, done: facts.completed }, nameOf, parameter, className)))
  }
  if (facts.settings.length > 0) grid.append(showSettings(report))
  view.append(grid)
  return view
}

const reasonOf = ({ reason }: Page): string => reason
const statusOf = ({ statusCode }: Page): string => String(statusCode)

function countBy(
  { pages, done }: { readonly pages: readonly Page[]; readonly done: number },
  nameOf: (page: Page) => string | readonly string[],
  parameter: string,
  className: Outcome,
): HTMLElement {
  const counts = new Map<string, number>()
  for (const name of pages.flatMap(nameOf)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const isNumber = parameter === 'depth'
  const sorted = [...counts].sort(([name, count], [other, others]) =>
    isNumber ? Number(name) - Number(other) : others - count,
  )
  return countTable(
    sorted.map(([name, count]) => ({
      name,
      count,
      href: toHash('pages', { [parameter]: name }),
      className: parameter === 'status' && Number(name) >= 400 ? 'failed' : className,
    })),
    // A page may have several.
    parameter === 'warning' ? done : undefined,
  )
}

function showOutcomes(report: Report): HTMLElement {
  const { facts, pages } = report
  const counts: OutcomeCounts = {}
  for (const page of pages) if (report.isOwn(page)) addOutcome(counts, page)
  const others = pages.length - sumOf(counts)
  const legend = html('ul', { class: 'legend' })
  const ofOwn = others === 0 ? {} : { hosts: 'own' }
  const counted = outcomes.flatMap((outcome) =>
    counts[outcome] === undefined ? [] : { outcome, count: counts[outcome] },
  )
  const shares = printShares(counted.map(({ count }) => count))
  for (const [at, { outcome, count }] of counted.entries()) {
    const link = html('a', { href: toHash('pages', { outcome, ...ofOwn }) }, outcomeNames[outcome])
    const share = html('span', { class: 'share' }, shares[at])
    legend.append(html('li', { class: outcome }, html('b', {}, printCount(count)), ' ', link, ' ', share))
  }
  const more =
    facts.unlisted > 0 && html('p', { class: 'note' }, `Not listed: ${printItems(facts.unlisted, 'further URL')}.`)
  const foreign =
    others > 0 &&
    html(
      'p',
      { class: 'note' },
      'Beside these: ',
      html('a', { href: toHash('pages', { hosts: 'other' }) }, printItems(others, 'URL')),
      ' of other hosts, of which nothing was scraped.',
    )
  return section(printItems(pages.length - others + facts.unlisted, 'URL'), outcomeBar(counts), legend, foreign, more)
}

/** Shows the figures of the job: time, traffic and cost. */
function showFigures({ facts, pages }: Report): HTMLElement {
  const { used, duration, creditsUsed } = facts
  const cached = pages.filter(({ fetcher }) => fetcher === 'cache').length
  const retries = pages.reduce((sum, { attempts }) => sum + Math.max(0, attempts - 1), 0)
  const words = pages.reduce((sum, page) => sum + Math.max(0, page.words), 0)
  const seconds = duration ?? used?.seconds ?? 0
  const list = html('dl', { class: 'figures' })
  const add = (name: string, value: Child, isShown = true): void => {
    if (isShown) list.append(html('div', {}, html('dt', {}, name), html('dd', {}, value)))
  }
  add('Duration', printDuration(seconds * 1000), seconds > 0)
  add('Pages per second', printNumber(facts.completed / seconds), seconds > 0)
  add('Words of Markdown', printCount(words), words > 0)
  add('Received', printBytes(used?.bytes ?? 0), (used?.bytes ?? 0) > 0)
  add('Requests', printCount(used?.requests ?? 0), (used?.requests ?? 0) > 0)
  add('From the cache', printCount(cached), facts.kind !== 'pages')
  add('Retries', printCount(retries), facts.kind !== 'pages')
  add('Browser time', printDuration((used?.browserSeconds ?? 0) * 1000), (used?.browserSeconds ?? 0) > 0)
  add('Credits', printCount(creditsUsed))
  add('Model tokens', printCount(used?.modelTokens ?? 0), (used?.modelTokens ?? 0) > 0)
  add('Model cost', printNumber(used?.modelCost ?? 0), (used?.modelCost ?? 0) > 0)
  return section('Figures', list)
}

function showSettings({ facts }: Report): HTMLElement {
  const list = html('dl', { class: 'settings' })
  const dates: [string, string][] = facts.createdAt === undefined ? [] : [['started', printDate(facts.createdAt)]]
  for (const [name, value] of [...dates, ...facts.settings]) list.append(html('dt', {}, name), html('dd', {}, value))
  return section('Request', list)
}

/** Width of the drawing, and that for a phone, where the letters of a wider one would be too small to read. */
const WIDTH = 960
const PHONE_WIDTH = 360
/** Widest window of a phone, as in the style sheet. CSS pixels. */
const PHONE_WINDOW = 720
const HEIGHT = 160
const LEFT = 44
const BOTTOM = 22
/** Maximum bars; fewer where each would stand for less than {@link PAGES_PER_BAR} pages on average. */
const MAX_BARS = 96
const MIN_BARS = 16
const PAGES_PER_BAR = 4

/** Draws pages per second over the time of the job: scraped ones, and failed ones above. */
function drawRate(pages: readonly Page[]): HTMLElement {
  const whole = window.innerWidth <= PHONE_WINDOW ? PHONE_WIDTH : WIDTH
  const ended = pages.filter(({ endedMs, attempts }) => endedMs >= 0 && attempts > 0)
  const lastMs = ended.reduce((most, { endedMs }) => Math.max(most, endedMs), 1)
  const count = Math.min(MAX_BARS, Math.max(MIN_BARS, Math.round(ended.length / PAGES_PER_BAR)))
  const stepMs = (lastMs + 1) / count
  const bars = Array.from({ length: count }, () => ({ done: 0, failed: 0 }))
  for (const { endedMs, outcome } of ended) {
    const bar = bars[Math.floor(endedMs / stepMs)]
    if (bar) bar[outcome === 'failed' ? 'failed' : 'done'] += 1
  }
  const rateOf = (some: number): number => (some * 1000) / stepMs
  const most = roundUp(Math.max(...bars.map(({ done, failed }) => rateOf(done + failed)), 0.001))
  const yOf = (rate: number): number => (HEIGHT - BOTTOM) * (1 - rate / most)
  const label = `Pages per second over ${printDuration(lastMs)}, at most ${printNumber(most)}`
  const drawing = svg('svg', { viewBox: `0 0 ${whole} ${HEIGHT}`, role: 'img', 'aria-label': label, class: 'chart' })
  for (const share of [0, 0.5, 1]) {
    const y = yOf(most * share)
    drawing.append(svg('line', { x1: LEFT, x2: whole, y1: y + 0.5, y2: y + 0.5, class: 'grid' }))
    const text = share === 1 ? y + 12 : y - 4
    drawing.append(svg('text', { x: LEFT - 8, y: text, 'text-anchor': 'end' }, printNumber(most * share)))
  }
  const width = (whole - LEFT) / count
  for (const [at, { done, failed }] of bars.entries()) {
    const x = LEFT + at * width + 0.5
    const time = `${printDuration(at * stepMs)}: ${printNumber(rateOf(done + failed))} a second`
    const [low, high] = [yOf(rateOf(done)), yOf(rateOf(done + failed))]
    const bar = svg('g', {}, svg('title', {}, time))
    if (done > 0) bar.append(drawBar('done', { x, y: low, width, height: yOf(0) - low }))
    if (failed > 0) bar.append(drawBar('failed', { x, y: high, width, height: low - high }))
    drawing.append(bar)
  }
  for (const share of whole === WIDTH ? [0, 0.25, 0.5, 0.75, 1] : [0, 0.5, 1]) {
    const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle'
    const x = LEFT + (whole - LEFT) * share
    drawing.append(svg('text', { x, y: HEIGHT - 6, 'text-anchor': anchor }, printDuration(lastMs * share)))
  }
  return html('div', { class: 'chart-frame' }, drawing)
}

const drawBar = (
  className: string,
  { x, y, width, height }: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>,
): SVGElement => svg('rect', { class: className, x, y, width: width - 1, height: Math.max(1, height) })

/** Rounds up to a step of an axis, half of which is a round number too. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 1.2, 1.6, 2, 3, 4, 5, 6, 8].find((factor) => value <= factor * power) ?? 10)
}
