import type { TextContent, TextItem } from '../library/load-pdf.js'
import type { Run } from '../page-text.js'
import type { Fonts } from './read-fonts.js'

/** Minimum glyphs of a text along a path, and minimum turn between its first and any other, in radians. */
const MIN_GLYPHS = 5
const MIN_TURN = 0.1
/** Maximum distance of two glyphs, and minimum distance between two words beyond the usual one of glyphs, in sizes of the text. */
const MAX_STEP = 2.5
const MIN_SPACE = 0.2

interface Glyph {
  readonly at: number
  readonly item: TextItem
  readonly x: number
  readonly y: number
  readonly endX: number
  readonly endY: number
  readonly size: number
  readonly angle: number
}

/**
 * Reads texts along a path: glyphs one by one, each turned a little more than the one before it. A text that is slanted as a whole is a
 * watermark.
 *
 * @param matrixOf returns the matrix of an item in upright coordinates @returns a run for each text, and the places of their glyphs among the items
 */
export function readPathText(
  { items }: TextContent,
  matrixOf: (item: TextItem) => readonly number[],
  fonts: Fonts,
): { readonly runs: readonly Run[]; readonly taken: ReadonlySet<number> } {
  const runs: Run[] = []
  const taken = new Set<number>()
  let open: Glyph[] = []
  const end = (): void => {
    const [first] = open
    if (first !== undefined && open.length >= MIN_GLYPHS && turnOf(open) >= MIN_TURN) {
      for (const { at } of open) taken.add(at)
      runs.push(toRun(open, first, fonts))
    }
    open = []
  }
  for (const [at, item] of items.entries()) {
    if (!('str' in item) || item.str.trim() === '') continue
    const glyph = item.str.trim().length > 2 ? undefined : toGlyph(item, at, matrixOf(item))
    const last = open.at(-1)
    const follows =
      glyph !== undefined &&
      (last === undefined ||
        Math.hypot(glyph.x - last.x, glyph.y - last.y) <= MAX_STEP * Math.max(last.size, glyph.size))
    if (!follows) end()
    if (glyph !== undefined) open.push(glyph)
  }
  end()
  return { runs, taken }
}

function toGlyph(item: TextItem, at: number, matrix: readonly number[]): Glyph | undefined {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = matrix
  const size = Math.hypot(c, d)
  const angle = Math.atan2(b, a)
  if (!Number.isFinite(x + y + size + angle) || !(size > 0.5 && size < 2000)) return undefined
  const [endX, endY] = [x + Math.cos(angle) * item.width, y + Math.sin(angle) * item.width]
  return { at, item, x, y, endX, endY, size, angle }
}

const turnOf = (glyphs: readonly Glyph[]): number =>
  glyphs.reduce((most, { angle }) => Math.max(most, Math.abs(angle - (glyphs[0]?.angle ?? 0))), 0)

function toRun(glyphs: readonly Glyph[], first: Glyph, fonts: Fonts): Run {
  const gaps = glyphs
    .slice(1)
    .map(({ x, y }, at) => Math.hypot(x - (glyphs[at]?.endX ?? x), y - (glyphs[at]?.endY ?? y)))
  const usual = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0
  const text = glyphs.reduce((all, { item, size }, at) => {
    const isApart = at > 0 && (gaps[at - 1] ?? 0) > usual + MIN_SPACE * size
    return `${all}${isApart ? ' ' : ''}${item.str.trim()}`
  }, '')
  const { isBold, isItalic, isMono } = fonts.faceOf(first.item.fontName)
  const left = Math.min(...glyphs.map(({ x }) => x))
  return {
    isBold,
    isItalic,
    isMono,
    text,
    left,
    right: Math.max(left, ...glyphs.map(({ endX }) => endX)),
    y: Math.max(...glyphs.map(({ y }) => y)),
    size: Math.round(first.size * 100) / 100,
    isRtl: false,
    order: first.at,
    isSpaced: true,
    font: first.item.fontName,
  }
}
