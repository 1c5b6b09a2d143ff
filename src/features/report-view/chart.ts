import { html, svg } from './dom.js'
import { printDuration, printNumber } from './format.js'
import type { Page } from './report.js'

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
export function drawRate(pages: readonly Page[]): HTMLElement {
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
