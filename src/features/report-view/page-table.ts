import { html } from './dom.js'
import { outcomeNames, printCount, printDuration, printItems, printUrl, foldText } from './format.js'
import type { Outcome } from '../../kernel/ledger/ledger.js'
import { outcomes } from '../report/report-data.js'
import { addOutcome, type OutcomeCounts, outcomeChip } from './parts.js'
import type { Page, Report } from './report.js'
import { toHash } from './route.js'
import { VirtualRows } from './virtual-rows.js'
import { ownValue } from '../../base/collections/own-value.js'

/** Columns of the table, with the order of each. */
const COLUMNS = [
  ['Outcome', 'outcome', ''],
  ['Page', 'page', 'url'],
  ['Status', 'number status', 'status'],
  ['Time', 'number time', 'time'],
  ['Words', 'number words', 'words'],
  ['Depth', 'number depth', 'depth'],
  ['Tries', 'number tries', 'attempts'],
] as const

/** A view that follows the window until it is closed. */
export interface OpenView {
  readonly element: HTMLElement
  close?(): void
}

/** Shows all pages, with a search, filters and orders, which are in the address. */
export function showPages(report: Report, parameters: URLSearchParams): OpenView {
  const rows = new VirtualRows<Page>(drawPage)
  const status = html('p', { class: 'found', role: 'status' })
  const marks = html('div', { class: 'marks' })
  const heads = COLUMNS.map(([title, className, order]) => drawHead(title, className, order, (name) => sortBy(name)))
  const tableElement = html('table', { class: 'pages' }, html('thead', {}, html('tr', {}, ...heads)), rows.body)
  const buttons = new Map<Outcome, HTMLElement>()

  // A site may have more links to other hosts than pages.
  const listed = [true, false].flatMap((isOwn) => report.pages.filter((page) => report.isOwn(page) === isOwn))

  const properties = { ...PROPERTIES, hosts: (page: Page) => (report.isOwn(page) ? 'own' : 'other') }
  const draw = (): void => {
    const found = filterPages(listed, parameters, properties)
    rows.show(found)
    tableElement.setAttribute('aria-rowcount', String(found.length + 1))
    const isAll = found.length === report.pages.length
    status.textContent = isAll
      ? printItems(found.length, 'URL')
      : `${printCount(found.length)} of ${printItems(report.pages.length, 'URL')}`
    for (const [outcome, button] of buttons) {
      button.setAttribute('aria-pressed', String(parameters.get('outcome') === outcome))
    }
    for (const head of heads) markOrder(head, parameters.get('sort') ?? '')
    marks.replaceChildren(...drawMarks(parameters, (name) => change(name, '')))
  }
  const change = (name: string, value: string): void => {
    if (value === '') parameters.delete(name)
    else parameters.set(name, value)
    history.replaceState(null, '', toHash('pages', Object.fromEntries(parameters)))
    draw()
  }
  const sortBy = (name: string): void => {
    const now = parameters.get('sort')
    change('sort', now === `-${name}` ? name : now === name ? '' : `-${name}`)
  }

  const counts: OutcomeCounts = {}
  for (const page of report.pages) addOutcome(counts, page)
  for (const outcome of outcomes) {
    if (counts[outcome] === undefined) continue
    const toggle = (): void => change('outcome', parameters.get('outcome') === outcome ? '' : outcome)
    const count = html('span', { class: 'count' }, printCount(counts[outcome]))
    const label = html('span', { class: `dot ${outcome}` })
    const button = html('button', { type: 'button', click: toggle }, label, outcomeNames[outcome], ' ', count)
    buttons.set(outcome, button)
  }
  const search = html('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Search URLs and titles',
    'aria-label': 'Search URLs and titles',
    value: parameters.get('q') ?? '',
    autocomplete: 'off',
    spellcheck: 'false',
    input: () => change('q', search.value),
  })
  const filters = html(
    'div',
    { class: 'filters' },
    search,
    html('div', { class: 'toggles' }, ...buttons.values()),
    status,
  )
  const hint = html('p', { class: 'note keys' }, 'Keys: / search · ↑ ↓ rows · Enter opens · Esc back')
  const element = html('div', { class: 'pages-view' }, filters, marks, tableElement, hint)
  element.addEventListener('keydown', (event) => moveFocus(event, rows))
  // The rows are placed by where the table stands. The address stays: it may lead to another view before this frame.
  requestAnimationFrame(draw)
  return { element, close: () => rows.close() }
}

function drawHead(title: string, className: string, order: string, sortBy: (order: string) => void): HTMLElement {
  if (order === '') return html('th', { scope: 'col', class: className }, title)
  const button = html('button', { type: 'button', class: 'sort', click: () => sortBy(order) }, title)
  return html('th', { scope: 'col', class: className, 'data-order': order }, button)
}

function markOrder(head: HTMLElement, sort: string): void {
  const { order } = head.dataset
  if (order !== undefined && sort === order) head.setAttribute('aria-sort', 'ascending')
  else if (order !== undefined && sort === `-${order}`) head.setAttribute('aria-sort', 'descending')
  else head.removeAttribute('aria-sort')
}

/** Draws what is selected, each with a button that takes it away. */
function drawMarks(parameters: URLSearchParams, remove: (name: string) => void): HTMLElement[] {
  return filterNames.flatMap(([name, title]) => {
    const value = parameters.get(name)
    if (value === null) return []
    const label = `Remove filter ${title}: ${value}`
    const button = html('button', { type: 'button', 'aria-label': label, click: () => remove(name) }, '×')
    return html('span', { class: 'mark' }, `${title}: `, html('b', {}, value), button)
  })
}

function drawPage(page: Page): HTMLElement {
  const { number, url, title, outcome, statusCode, attemptMs, words, depth, attempts, reason } = page
  const name = title === '' ? printUrl(url) : title
  const second = title === '' ? reason : printUrl(url)
  const link = html('a', { href: toHash(`page/${number}`), title: url }, name)
  const status = html(
    'td',
    { class: `number status${statusCode >= 400 ? ' bad' : ''}` },
    statusCode > 0 ? statusCode : '',
  )
  const chip = outcomeChip(outcome)
  chip.title = page.message
  return html(
    'tr',
    {},
    html('td', { class: 'outcome' }, chip),
    html('td', { class: 'page' }, link, html('span', { class: 'second' }, second)),
    status,
    html('td', { class: 'number time' }, attemptMs >= 0 ? printDuration(attemptMs) : ''),
    html('td', { class: 'number words' }, words >= 0 ? printCount(words) : ''),
    html('td', { class: 'number depth' }, depth),
    html('td', { class: 'number tries' }, attempts > 0 ? attempts : ''),
  )
}

/** Moves the focus from row to row with the arrow keys, and from the search into the table. */
function moveFocus(event: KeyboardEvent, rows: VirtualRows<Page>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || !(event.target instanceof HTMLElement)) return
  const index = event.target.closest<HTMLElement>('[data-index]')?.dataset['index']
  if (index === undefined && event.target.id !== 'search') return
  event.preventDefault()
  rows.focus(index === undefined ? 0 : Number(index) + step)
}

/** Properties of a page that a parameter of the address selects, each as text, or several. */
const PROPERTIES: Readonly<Record<string, (page: Page) => string | readonly string[]>> = {
  outcome: ({ outcome }) => outcome,
  reason: ({ reason }) => reason,
  status: ({ statusCode }) => String(statusCode),
  fetcher: ({ fetcher }) => fetcher,
  via: ({ via }) => via,
  depth: ({ depth }) => String(depth),
  template: ({ template }) => template,
  warning: ({ warnings }) => warnings,
}

/** Names of the parameters that select pages, for the marks of what is selected. */
const filterNames: readonly (readonly [parameter: string, name: string])[] = [
  ['reason', 'Reason'],
  ['status', 'Status'],
  ['fetcher', 'Fetched by'],
  ['via', 'Found by'],
  ['depth', 'Depth'],
  ['template', 'Template'],
  ['warning', 'Warning'],
  ['path', 'Below'],
  ['hosts', 'Hosts'],
]

/** Orders of pages by the parameter `sort`; a `-` before the name reverses it. */
const ORDERS: Readonly<Record<string, (one: Page, other: Page) => number>> = {
  url: (one, other) => (one.url < other.url ? -1 : one.url > other.url ? 1 : 0),
  status: (one, other) => one.statusCode - other.statusCode,
  time: (one, other) => one.attemptMs - other.attemptMs,
  words: (one, other) => one.words - other.words,
  depth: (one, other) => one.depth - other.depth,
  attempts: (one, other) => one.attempts - other.attempts,
}

/** Selects and orders pages by the parameters of the address. Without `sort` they stay in their order. */
function filterPages(
  pages: readonly Page[],
  parameters: URLSearchParams,
  properties: typeof PROPERTIES,
): readonly Page[] {
  const words = foldText(parameters.get('q') ?? '')
    .split(/\s+/)
    .filter(Boolean)
  const path = parameters.get('path') ?? ''
  const wanted = Object.entries(properties).flatMap(([name, read]) => {
    const value = parameters.get(name)
    return value === null ? [] : [{ read, value }]
  })
  const found = pages.filter(
    (page) =>
      wanted.every(({ read, value }) => [read(page)].flat().includes(value)) &&
      words.every((word) => page.searched.includes(word)) &&
      page.url.startsWith(path),
  )
  const sort = parameters.get('sort') ?? ''
  const order = ownValue(ORDERS, sort.replace('-', ''))
  if (!order) return found
  return found.sort(sort.startsWith('-') ? (one, other) => order(other, one) : order)
}
