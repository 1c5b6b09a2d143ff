import { isCjk } from './join-runs.js'
import type { TextContent } from './load-pdf.js'
import type { Run } from './page-text.js'
import type { Fonts } from './read-fonts.js'

type Matrix = readonly number[]

/** The text of a page by the direction that it runs in. */
export interface TurnedRuns {
  readonly upright: readonly Run[]
  /** What runs up, down or upside down, as if it were upright. What runs aslant is a watermark, and is left out. */
  readonly turned: readonly (readonly Run[])[]
}

/** Runs of one page that are read at most. */
const MOST_RUNS = 200_000

const UNUSUAL = /[\p{Cc}\ufb50-\ufdff\ufe70-\ufefc]/u

/** Without signs that are none, and with Arabic letters other than they are shaped within a word, which nobody looks for. */
const plain = (text: string): string =>
  text.replace(/\p{Cc}+/gu, ' ').replace(/[\ufb50-\ufdff\ufe70-\ufefc]+/g, (shaped) => shaped.normalize('NFKC'))

/** The pieces of text of a page, in the order in which they are drawn. */
export function readRuns({ items }: TextContent, view: Matrix, fonts: Fonts): TurnedRuns {
  const upright: Run[] = []
  const turned = new Map<string, Run[]>()
  const drawn = new Set<string>()
  for (const item of items) if ('str' in item && isCjk(item.str)) fonts.markAsCjk(item.fontName)
  let isSpaced = false
  for (const [order, item] of items.slice(0, MOST_RUNS).entries()) {
    if (!('str' in item)) continue
    const text = UNUSUAL.test(item.str) ? plain(item.str) : item.str
    if (text.trim() === '') {
      isSpaced = true
      continue
    }
    const [a, b, c, d, x, y] = multiply(view, item.transform)
    const size = Math.hypot(c, d)
    if (!(size > 0.5 && size < 2000)) continue
    const length = Math.hypot(a, b) || 1
    const direction = [Math.round(a / length), Math.round(b / length)] as const
    const isAslant = Math.abs(a / length - direction[0]) > 0.05 || Math.abs(b / length - direction[1]) > 0.05
    if (isAslant) continue
    const [ux, uy] = direction
    const left = x * ux + y * uy
    const baseline = y * ux - x * uy
    // A font that is made bold by drawing it twice.
    if (text.length > 1) {
      const place = `${text} ${Math.round(left / (0.3 * size))} ${Math.round(baseline / (0.3 * size))}`
      if (drawn.has(place)) continue
      drawn.add(place)
    }
    const run: Run = {
      ...fonts.faceOf(item.fontName),
      text,
      left,
      right: left + Math.abs(item.width),
      y: baseline,
      size: Math.round(size * 100) / 100,
      isRtl: item.dir === 'rtl',
      order,
      isSpaced,
    }
    isSpaced = false
    if (ux === 1) upright.push(run)
    else {
      const key = direction.join()
      const runs = turned.get(key) ?? []
      turned.set(key, runs)
      runs.push(run)
    }
  }
  return { upright, turned: [...turned.values()] }
}

/** Two transformations, one after the other. @see ISO 32000-1 section 8.3.4 */
export function multiply(m: Matrix, n: Matrix): [number, number, number, number, number, number] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = m
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = n
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}
