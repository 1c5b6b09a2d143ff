import type { Outcome } from '../../kernel/ledger/ledger.js'
import { outcomes } from '../report/report-data.js'
import { type Child, html } from './dom.js'
import { outcomeNames, printCount, printItems, printShare, printShares, printUrl } from './format.js'
import type { Page, Report } from './report.js'
import { toHash } from './route.js'

/** Parts that several views are made of. */

/** Numbers of pages by outcome. */
export type OutcomeCounts = Partial<Record<Outcome, number>>

/** Items that a list shows at first, and adds at a time. */
const LIST_STEP = 100

export const addOutcome = (counts: OutcomeCounts, { outcome }: Page): void => {
  counts[outcome] = (counts[outcome] ?? 0) + 1
}

export const sumOf = (counts: OutcomeCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Creates a label for an outcome. */
export const outcomeChip = (outcome: Outcome): HTMLElement =>
  html('span', { class: `chip ${outcome}` }, outcomeNames[outcome])

/** Creates a bar with a part for each outcome. */
export function outcomeBar(counts: OutcomeCounts): HTMLElement {
  const all = sumOf(counts)
  const present = outcomes.filter((outcome) => (counts[outcome] ?? 0) > 0)
  const label = present.map((outcome) => `${printCount(counts[outcome] ?? 0)} ${outcomeNames[outcome].toLowerCase()}`)
  const bar = html('span', { class: 'bar', role: 'img', 'aria-label': label.join(', '), title: label.join(', ') })
  for (const outcome of present) {
    const part = html('span', { class: outcome })
    part.style.flexGrow = String((counts[outcome] ?? 0) / all)
    bar.append(part)
  }
  return bar
}

/** Creates a link to the story of a page. */
export function pageLink(report: Report, page: number | string, className = 'page-link'): HTMLElement {
  const known = report.page(page)
  if (!known) return html('span', { class: className }, String(page))
  return html('a', { class: className, href: toHash(`page/${known.number}`), title: known.url }, printUrl(known.url))
}

/** Creates a section with a heading. */
export const section = (title: string, ...children: readonly Child[]): HTMLElement =>
  html('section', {}, html('h2', {}, title), ...children)

/** Creates a text for a view with nothing to show. */
export const note = (text: string): HTMLElement => html('p', { class: 'note' }, text)

/** Creates a part that is drawn when the reader opens it. */
export function folded(title: string, draw: () => HTMLElement): HTMLElement {
  const whole = html('details', { class: 'folded' }, html('summary', {}, title))
  whole.addEventListener('toggle', () => whole.childElementCount === 1 && whole.append(draw()))
  return whole
}

/** Shows a list of any length: its first items, and a button for more. */
export function longList<Item>(
  items: readonly Item[],
  show: (item: Item) => HTMLElement,
  container: HTMLElement,
  noun = 'more',
): HTMLElement {
  const whole = html('div', { class: 'long-list' }, container)
  let shown = 0
  const button = html('button', { type: 'button', class: 'more', click: () => showMore() })
  const showMore = (): void => {
    const added = items.slice(shown, shown + LIST_STEP).map(show)
    container.append(...added)
    shown += added.length
    if (shown >= items.length) button.remove()
    else {
      button.textContent = `Show ${Math.min(LIST_STEP, items.length - shown)} of ${printCount(items.length - shown)} ${noun}`
      whole.append(button)
    }
  }
  showMore()
  return whole
}

/** Column of a small table. */
interface Column<Item> {
  readonly title: string
  /** Class of its cells: `number` for one of numbers. */
  readonly className?: string
  cell(item: Item): Child
}

/** Creates a table of any length. */
export function table<Item>(columns: readonly Column<Item>[], items: readonly Item[], noun = 'more'): HTMLElement {
  const body = html('tbody')
  const head = columns.map(({ title, className }) => html('th', { scope: 'col', class: className }, title))
  const toRow = (item: Item): HTMLElement =>
    html('tr', {}, ...columns.map(({ className, cell }) => html('td', { class: className }, cell(item))))
  const list = longList(items, toRow, body, noun)
  const whole = html('div', { class: 'table', tabindex: 0, role: 'group', 'aria-label': 'Table' })
  whole.append(html('table', {}, html('thead', {}, html('tr', {}, ...head)), body))
  list.prepend(whole)
  return list
}

/** Length from which the name of a count stands above its bar. */
const LONG_NAME = 22

/** Creates a table of counts with bars; each name is a link. @param whole what the counts are shares of. @default their sum */
export function countTable(
  rows: readonly {
    readonly name: string
    readonly count: number
    readonly href: string
    readonly className?: string
  }[],
  whole?: number,
): HTMLElement {
  const shares =
    whole === undefined
      ? printShares(rows.map(({ count }) => count))
      : rows.map(({ count }) => printShare(count, whole))
  const most = Math.max(...rows.map(({ count }) => count), 1)
  const list = html('ul', { class: 'counts' })
  for (const [at, { name, count, href, className = 'done' }] of rows.entries()) {
    const bar = html('span', { class: `fill ${className}` })
    bar.style.width = `${(count / most) * 100}%`
    const share = html('span', { class: 'share' }, shares[at])
    const figures = html('span', { class: 'figure' }, printCount(count), ' ', share)
    list.append(
      html(
        'li',
        { class: name.length > LONG_NAME ? 'long' : undefined },
        html('a', { href }, name),
        html('span', { class: 'track' }, bar),
        figures,
      ),
    )
  }
  return list
}

/** Prints a count of pages. */
export const printPages = (count: number): string => printItems(count, 'page')
