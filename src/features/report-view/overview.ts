import type { Outcome } from '../../kernel/ledger/ledger.js'
import { outcomes } from '../report/report-data.js'
import { drawRate } from './chart.js'
import { type Child, html } from './dom.js'
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
    if (some.length > 0) grid.append(section(title, countBy(some, nameOf, parameter, className)))
  }
  if (facts.settings.length > 0) grid.append(showSettings(report))
  view.append(grid)
  return view
}

const reasonOf = ({ reason }: Page): string => reason
const statusOf = ({ statusCode }: Page): string => String(statusCode)

function countBy(
  pages: readonly Page[],
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
  )
}

function showOutcomes({ facts, pages }: Report): HTMLElement {
  const counts: OutcomeCounts = {}
  for (const page of pages) addOutcome(counts, page)
  const all = sumOf(counts)
  const legend = html('ul', { class: 'legend' })
  const counted = outcomes.flatMap((outcome) =>
    counts[outcome] === undefined ? [] : { outcome, count: counts[outcome] },
  )
  const shares = printShares(counted.map(({ count }) => count))
  for (const [at, { outcome, count }] of counted.entries()) {
    const link = html('a', { href: toHash('pages', { outcome }) }, outcomeNames[outcome])
    const share = html('span', { class: 'share' }, shares[at])
    legend.append(html('li', { class: outcome }, html('b', {}, printCount(count)), ' ', link, ' ', share))
  }
  const more =
    facts.unlisted > 0 && html('p', { class: 'note' }, `Not listed: ${printItems(facts.unlisted, 'further URL')}.`)
  return section(printItems(all + facts.unlisted, 'URL'), outcomeBar(counts), legend, more)
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
