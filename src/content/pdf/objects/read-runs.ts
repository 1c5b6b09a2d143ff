import { isCjk } from '../layout/join-runs.js'
import type { TextContent } from '../library/load-pdf.js'
import type { Run } from '../page-text.js'
import { joinOverlaps } from './join-overlaps.js'
import type { Fonts } from './read-fonts.js'
import { readPathText } from './path-text.js'
import { placeRuby } from './place-ruby.js'
import { takeVertical } from './take-vertical.js'

type Matrix = readonly number[]

/** Text of a page by writing direction. */
interface TurnedRuns {
  readonly upright: readonly Run[]
  /**
   * Text rotated by 90, 180 or 270 degrees, in upright coordinates, and lines of Chinese or Japanese from top to bottom, as if
   * they were rotated. Slanted text is a watermark and left out.
   */
  readonly turned: readonly (readonly Run[])[]
  /** Number of characters that say nothing: those that the file does not name, and those of private use. */
  readonly unreadable: number
}

/** Reads the text runs of a page, in drawing order. */
export function readRuns(content: TextContent, view: Matrix, fonts: Fonts): TurnedRuns {
  const { items } = content
  const upright: Run[] = []
  const turned = new Map<string, Run[]>()
  const placesOf = new Map<string, number[]>()
  for (const item of items) if ('str' in item && isCjk(item.str)) fonts.markAsCjk(item.fontName)
  let isSpaced = false
  let order = -1
  let unreadable = 0
  let aslant = 0
  for (const item of items) {
    order += 1
    if (!('str' in item)) continue
    let text = item.str
    if (RARE.test(text)) {
      text = text.replace(TEX_SIGNS, (code) => TEX_CHARACTERS.get(code) ?? code)
      unreadable += text.match(UNREADABLE)?.length ?? 0
      text = clean(text).replace(/^[\ufffd\s]+$/, '')
    }
    if (!/\S/.test(text)) {
      isSpaced = true
      continue
    }
    const [a, b, c, d, x, y] = multiply(view, item.transform)
    const size = Math.hypot(c, d)
    if (!(size > 0.5 && size < 2000)) continue
    const isVertical = item.dir === 'ttb'
    const [across, down, extent] = isVertical ? [-c, -d, item.height] : [a, b, item.width]
    const length = Math.hypot(across, down) || 1
    const ux = Math.round(across / length)
    const uy = Math.round(down / length)
    const isAslant = Math.abs(across / length - ux) > 0.05 || Math.abs(down / length - uy) > 0.05
    if (isAslant) {
      if (text.length <= 2) aslant += 1
      continue
    }
    const left = x * ux + y * uy
    const baseline = y * ux - x * uy
    // Damaged files can have infinite coordinates, with which later loops would not end.
    if (!Number.isFinite(left + baseline + extent)) continue
    if (
      text.length > 1 &&
      isDrawn(placesOf, text, Math.round(left / (0.3 * size)), Math.round(baseline / (0.3 * size)))
    )
      continue
    const { isBold, isItalic, isMono } = fonts.faceOf(item.fontName)
    const run: Run = {
      isBold,
      isItalic,
      isMono,
      text,
      left,
      right: left + Math.abs(extent),
      y: baseline,
      size: Math.round(size * 100) / 100,
      isRtl: item.dir === 'rtl',
      order,
      isSpaced,
      font: item.fontName,
    }
    isSpaced = false
    if (ux === 1) upright.push(run)
    else {
      const key = `${ux},${uy}`
      const runs = turned.get(key) ?? []
      turned.set(key, runs)
      runs.push({ ...run, isUnplaced: true })
    }
  }
  const path = aslant < MIN_ASLANT ? undefined : readPathText(content, (item) => multiply(view, item.transform), fonts)
  const alone = path ? [...upright.filter(({ order: at }) => !path.taken.has(at)), ...path.runs] : upright
  const { rest, vertical } = takeVertical(alone)
  if (vertical.length > 0)
    turned.set(
      DOWN,
      [...(turned.get(DOWN) ?? []), ...vertical].sort((a, b) => a.order - b.order),
    )
  const join = (runs: readonly Run[]): readonly Run[] => joinOverlaps(placeRuby(runs))
  return { upright: join(rest), turned: [...turned.values()].map(join), unreadable }
}

/** Minimum slanted glyphs of a page that may have a text along a path. */
const MIN_ASLANT = 4

/** Direction of text from top to bottom. */
const DOWN = '0,1'

/** Matches characters that `clean` replaces. They are rare: most text is only tested. */
const RARE =
  // oxlint-disable-next-line no-control-regex -- control characters are matched on purpose
  /[\u0000-\u001f\u007f-\u009f\u2e9f\u2ef3\u2f00-\u2fd5\ufb50-\ufdff\ufe10-\ufe19\ufe30-\ufe48\ufe70-\ufefc\ue000-\uf8ff\ufffd]/

/** Matches characters that say nothing to a reader. */
// oxlint-disable-next-line no-control-regex -- control characters are matched on purpose
const UNREADABLE = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ue000-\uf8ff\ufffd]/g

/**
 * Characters of TeX's T1 encoding whose codes are control characters. Its bitmap fonts, which it uses where no others are
 * installed, do not say which characters they show.
 */
const TEX_CHARACTERS = new Map([
  ['\u0010', '“'],
  ['\u0011', '”'],
  ['\u0015', '–'],
  ['\u0016', '—'],
  ['\u001b', 'ff'],
  ['\u001c', 'fi'],
  ['\u001d', 'fl'],
  ['\u001e', 'ffi'],
  ['\u001f', 'ffl'],
])

/** Matches these codes beside letters and digits, and dashes between spaces. */
const TEX_SIGNS =
  // oxlint-disable-next-line no-control-regex -- control characters are matched on purpose
  /(?<![\p{L}\p{N}])\u0010(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.,!?])\u0011|(?<=[\p{L}\p{N}])[\u0015\u0016\u001b-\u001f]|[\u001b-\u001f](?=\p{L})|(?<= )[\u0015\u0016](?= )/gu

const clean = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    // Presentation forms are normalised to what readers search for: those of Arabic to letters, vertical ones to punctuation.
    // Browsers give radicals for the characters that look like them.
    .replace(/[\u2e9f\u2ef3\u2f00-\u2fd5\ufb50-\ufdff\ufe70-\ufefc]+/g, (shaped) => shaped.normalize('NFKC'))
    .replace(/[\ufe10-\ufe19\ufe30-\ufe48]/g, (sign) => widen(sign.normalize('NFKC')))

/** Returns the wide form of a sign, as text in Chinese and Japanese has. */
const widen = (sign: string): string => (/^[!-~]$/.test(sign) ? String.fromCharCode(sign.charCodeAt(0) + 0xfee0) : sign)

/** Tests if the text was drawn here before: bold type is sometimes drawn twice. */
function isDrawn(placesOf: Map<string, number[]>, text: string, left: number, baseline: number): boolean {
  const places = placesOf.get(text)
  if (places === undefined) {
    placesOf.set(text, [left, baseline])
    return false
  }
  for (let at = 0; at < places.length; at += 2) if (places[at] === left && places[at + 1] === baseline) return true
  places.push(left, baseline)
  return false
}

/** Multiplies two transformation matrices. @see ISO 32000-1 section 8.3.4 */
export function multiply(m: Matrix, n: Matrix): [number, number, number, number, number, number] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = m
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = n
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}
