import { html } from './dom.js'
import { printItems } from './format.js'

/** Rows above and below the visible ones that are drawn as well. */
const MARGIN = 12
/** Maximum rows of a list on paper. */
const MAX_PRINTED = 2000

/**
 * Rows of a table of which only the visible ones are drawn, so that a list of any length scrolls smoothly. All have the same
 * height. On paper the first 2,000 are drawn, with the number of the others.
 */
export class VirtualRows<Item> {
  readonly body: HTMLElement = html('tbody')
  readonly #draw: (item: Item, index: number) => HTMLElement
  readonly #stop = new AbortController()
  readonly #paper = matchMedia('print')
  #items: readonly Item[] = []
  #from = -1
  #to = -1

  constructor(draw: (item: Item, index: number) => HTMLElement) {
    this.#draw = draw
    const { signal } = this.#stop
    window.addEventListener('scroll', () => this.#update(), { passive: true, signal })
    window.addEventListener('resize', () => this.#update(), { signal })
    // The event of the media query comes too late for Chromium, which lays out the paper at once.
    window.addEventListener('beforeprint', () => this.#print(), { signal })
    window.addEventListener('afterprint', () => this.#redraw(), { signal })
    this.#paper.addEventListener('change', ({ matches }) => (matches ? this.#print() : this.#redraw()), { signal })
  }

  /** Shows other items. */
  show(items: readonly Item[]): void {
    this.#items = items
    this.#redraw()
  }

  /** Moves the focus to the link of a row, and scrolls to it. */
  focus(index: number): void {
    if (index < 0 || index >= this.#items.length) return
    const height = this.#rowHeight()
    const top = this.body.getBoundingClientRect().top + index * height
    // The head of the table covers the top.
    if (top < height * 2) window.scrollBy(0, top - height * 2)
    else if (top + height > window.innerHeight) window.scrollBy(0, top + height - window.innerHeight)
    this.#update()
    this.body.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus({ preventScroll: true })
  }

  /** Stops following the window. */
  close(): void {
    this.#stop.abort()
  }

  #redraw(): void {
    this.#from = -1
    this.#update()
  }

  #print(): void {
    this.#fill(0, Math.min(this.#items.length, MAX_PRINTED))
    // Space in place of further rows would become empty sheets: 4,100 for a list of 100,000.
    this.body.lastElementChild?.replaceWith(this.#nameRest(this.#items.length - MAX_PRINTED))
    this.#from = -1
  }

  /** Creates a row with the number of rows that paper leaves out; nothing for none. */
  #nameRest(rest: number): Node {
    if (rest <= 0) return new Text()
    const columns = this.body.closest('table')?.rows[0]?.cells.length ?? 1
    const text = `Not printed: ${printItems(rest, 'further row')}. Filters make the list shorter.`
    return html('tr', {}, html('td', { class: 'rest', colspan: columns }, text))
  }

  #update(): void {
    if (this.#paper.matches) return
    const height = this.#rowHeight()
    const above = Math.floor(-this.body.getBoundingClientRect().top / height)
    const from = Math.max(0, Math.min(above, this.#items.length) - MARGIN)
    const to = Math.min(this.#items.length, from + Math.ceil(window.innerHeight / height) + 2 * MARGIN)
    if (from === this.#from && to === this.#to) return
    this.#fill(from, to)
  }

  #fill(from: number, to: number): void {
    this.#from = from
    this.#to = to
    const focused = document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index']
    const height = this.#rowHeight()
    const rows = this.#items.slice(from, to).map((item, at) => this.#toRow(item, from + at))
    const rest = this.#items.length - to
    this.body.replaceChildren(this.#space(from * height), ...rows, this.#space(rest * height))
    if (focused !== undefined)
      this.body.querySelector<HTMLElement>(`[data-index="${focused}"] a`)?.focus({ preventScroll: true })
  }

  #toRow(item: Item, index: number): HTMLElement {
    const row = this.#draw(item, index)
    row.dataset['index'] = String(index)
    // The heading is the first row.
    row.setAttribute('aria-rowindex', String(index + 2))
    return row
  }

  /** Creates a row in place of those that are not drawn. */
  #space(height: number): HTMLElement {
    const cell = html('td')
    cell.style.height = `${height}px`
    return html('tr', { class: 'space', 'aria-hidden': 'true', hidden: height === 0 }, cell)
  }

  /** Height of a row, as the style sheet has it. CSS pixels. */
  #rowHeight(): number {
    return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || 46
  }
}
