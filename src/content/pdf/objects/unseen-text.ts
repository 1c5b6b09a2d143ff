import type { OpenPdf, TextContent, TextItem } from '../library/load-pdf.js'
import type { Layers } from './hidden-layers.js'
import { boundsOf, isNumbers, overlapOf, rectanglesIn, type Shape, shapeAround } from './path-shapes.js'
import type { UnseenLine } from '../page-text.js'
import { multiply } from './read-runs.js'

type Rgb = readonly [red: number, green: number, blue: number]

/** A text as it is drawn, where it may not be seen. */
interface Show {
  readonly text: string
  readonly x: number
  readonly y: number
  /** End of it, as {@link x} is its begin. */
  readonly end: number
  readonly size: number
  /** Place of its letters that is not covered. */
  box: Shape
  isInvisible: boolean
  readonly isTransparent: boolean
  readonly isClipped: boolean
  isCovered: boolean
  /** Colours of a text that may be that of what is behind it. */
  readonly colours: readonly Rgb[]
  /** Number of areas that are filled before it. */
  readonly fills: number
}

interface Fill {
  readonly box: Shape
  readonly colour: Rgb
}

interface GraphicsState {
  readonly colour: Rgb | undefined
  readonly lines: Rgb | undefined
  readonly alpha: number
  /** True if what is drawn is mixed with what is below it, or masked. */
  readonly isMixed: boolean
  /** Rectangle around what is drawn, and whether it is the form of that. */
  readonly clip: { readonly box: Shape; readonly isExact: boolean }
  /** Texts whose letters are the form of what is drawn. */
  readonly letters: readonly Show[]
  readonly mode: number
  readonly size: number
  readonly spacing: number
  readonly wordSpacing: number
  readonly stretch: number
  readonly rise: number
  readonly leading: number
}

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]
const EVERYWHERE: Shape = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity }
const START: GraphicsState = {
  colour: BLACK,
  lines: BLACK,
  alpha: 1,
  isMixed: false,
  clip: { box: EVERYWHERE, isExact: true },
  letters: [],
  mode: 0,
  size: 1,
  spacing: 0,
  wordSpacing: 0,
  stretch: 1,
  rise: 0,
  leading: 0,
}

/** Maximum size of text that nobody can read. Points. */
const MAX_SIZE = 1
/** Maximum opacity of text that nobody sees. */
const MAX_ALPHA = 0.05
/** Maximum difference of two colours that look alike, of 255. */
const MAX_DIFFERENCE = 10
/** Maximum number of texts and of filled areas of a page that are kept. */
const MAX_KEPT = 5000
/** Maximum share of a page's text that is taken for hidden. With more, the page has a background that is not known. */
const MAX_SHARE = 0.5
/** Distance from the page's edge of what is outside of it. Points. */
const OUTSIDE = 3
/** Minimum opacity of a box that covers text. */
const MIN_COVER_ALPHA = 0.95
/** Maximum number of boxes of a page that may cover text. */
const MAX_COVERS = 500
/** Maximum share of a text's place that a clip leaves over, where nobody reads it. */
const MAX_LEFT = 0.1
/** Maximum number of texts whose letters are the form of what is drawn after them. */
const MAX_LETTERS = 100
/** Height of small letters, of that of the font. */
const LETTER = 0.45

/** Finds the text of a page that is drawn without being seen, from the operations that draw it. */
export class UnseenText {
  readonly #operations: OpenPdf['operations']
  readonly #page: { readonly width: number; readonly height: number }
  readonly #layers: Layers | undefined
  /** Texts that may not be seen for other reasons than a box above them. */
  readonly #shows: Show[] = []
  readonly #plain: Show[] = []
  readonly #fills: Fill[] = []
  readonly #saved: GraphicsState[] = []
  #state = START
  #text: readonly number[] = IDENTITY
  #line: readonly number[] = IDENTITY
  /** True if a part of the page is filled with shades or patterns, whose place is not known. */
  #hasShades = false
  #covers = 0
  /** True if the next path is the form of what is drawn after it. */
  #clipsNext = false
  /** Place of the next form that is drawn as a whole. */
  #groupBox: unknown
  /** Marks that are open, each with true if it is shown. */
  readonly #marks: boolean[] = []

  constructor(
    operations: OpenPdf['operations'],
    page: { readonly width: number; readonly height: number },
    layers: Layers | undefined,
  ) {
    this.#operations = operations
    this.#page = page
    this.#layers = layers
  }

  /** Reads an operation. @param matrix from the operation's coordinates to those of the upright page */
  step(operation: number, args: unknown, matrix: readonly number[]): void {
    const { save, restore, paintFormXObjectBegin, paintFormXObjectEnd, shadingFill, setFillColorN } = this.#operations
    const { beginText, showText, nextLine, constructPath, clip, eoClip, setStrokeColorN } = this.#operations
    if (operation === save || operation === paintFormXObjectBegin) this.#saved.push(this.#state)
    if (operation === paintFormXObjectBegin) this.#enterForm(args, matrix)
    else if (operation === restore || operation === paintFormXObjectEnd) this.#state = this.#saved.pop() ?? START
    else if (operation === shadingFill) {
      this.#hasShades = true
      this.#fillLetters()
    } else if (operation === beginText) this.#moveTo(IDENTITY)
    else if (operation === nextLine) this.#moveBy(0, -this.#state.leading)
    else if (operation === clip || operation === eoClip) this.#clipsNext = true
    else if (operation === this.#operations.endMarkedContent) this.#marks.pop()
    else if (!Array.isArray(args)) return
    else if (operation === setFillColorN) this.#set({ colour: undefined })
    else if (operation === setStrokeColorN) this.#set({ lines: undefined })
    else if (operation === showText) this.#show(args[0], matrix)
    else if (operation === constructPath) {
      this.#fill(args, matrix)
      this.#clip(args, matrix)
    } else this.#readState(operation, args)
  }

  #enterForm(args: unknown, matrix: readonly number[]): void {
    const own: unknown = Array.isArray(args) ? args[1] : undefined
    const box = isNumbers(own) ? own : this.#groupBox
    this.#groupBox = undefined
    if (isNumbers(box)) this.#narrow(boundsOf(box, matrix), isLevel(matrix))
  }

  #clip(args: readonly unknown[], matrix: readonly number[]): void {
    if (!this.#clipsNext) return
    this.#clipsNext = false
    if (!isNumbers(args[2])) return
    const [only, ...others] = rectanglesIn(args, matrix, false)
    this.#narrow(boundsOf(args[2], matrix), only !== undefined && others.length === 0)
  }

  #narrow(box: Shape, isExact: boolean): void {
    const { clip } = this.#state
    this.#set({ clip: { box: overlapOf(clip.box, box), isExact: isExact && clip.isExact } })
  }

  /** Notes that letters that are a form are filled with something. */
  #fillLetters(): void {
    for (const show of this.#state.letters) show.isInvisible = false
  }

  #isInHiddenLayer(): boolean {
    return this.#marks.includes(false)
  }

  #readState(operation: number, args: readonly unknown[]): void {
    const ops = this.#operations
    const number = Number(args[0])
    if (operation === ops.setFillRGBColor) this.#set({ colour: rgbOf(args) })
    else if (operation === ops.setStrokeRGBColor) this.#set({ lines: rgbOf(args) })
    else if (operation === ops.beginMarkedContent) this.#marks.push(true)
    else if (operation === ops.beginMarkedContentProps)
      this.#marks.push(args[0] !== 'OC' || !args[1] || (this.#layers?.isVisible(args[1]) ?? true))
    else if (operation === ops.beginGroup) this.#groupBox = (args[0] as { bbox?: unknown } | undefined)?.bbox
    else if (operation === ops.setTextRenderingMode) this.#set({ mode: number })
    else if (operation === ops.setCharSpacing) this.#set({ spacing: number })
    else if (operation === ops.setWordSpacing) this.#set({ wordSpacing: number })
    else if (operation === ops.setHScale) this.#set({ stretch: number / 100 })
    else if (operation === ops.setTextRise) this.#set({ rise: number })
    else if (operation === ops.setLeading) this.#set({ leading: number })
    else if (operation === ops.setFont) this.#set({ size: Number(args[1]) })
    else if (operation === ops.setGState && Array.isArray(args[0])) this.#readGraphics(args[0])
    else if (operation === ops.moveText) this.#moveBy(number, Number(args[1]))
    else if (operation === ops.setLeadingMoveText) {
      this.#set({ leading: -Number(args[1]) })
      this.#moveBy(number, Number(args[1]))
    } else if (operation === ops.setTextMatrix) {
      const given: unknown = isNumbers(args) ? args : args[0]
      if (isNumbers(given)) this.#moveTo(Array.from(given))
    }
  }

  #set(change: Partial<GraphicsState>): void {
    this.#state = { ...this.#state, ...change }
  }

  #readGraphics(entries: readonly unknown[]): void {
    for (const entry of entries) {
      if (!Array.isArray(entry)) continue
      const [name, value] = entry as readonly unknown[]
      if (name === 'ca' && typeof value === 'number') this.#set({ alpha: value })
      if (name === 'BM' || name === 'SMask')
        this.#set({
          isMixed: !(value === false || value === 'source-over' || value === 'Normal' || value === 'normal'),
        })
      if (name === 'Font' && Array.isArray(value)) this.#set({ size: Number(value[1]) })
    }
  }

  #moveTo(matrix: readonly number[]): void {
    this.#text = matrix
    this.#line = matrix
  }

  #moveBy(x: number, y: number): void {
    this.#moveTo(multiply(this.#line, [1, 0, 0, 1, x, y]))
  }

  #show(glyphs: unknown, matrix: readonly number[]): void {
    if (!Array.isArray(glyphs)) return
    const { size, spacing, wordSpacing, stretch, rise, mode, alpha, clip } = this.#state
    const [a, b, c, d, x, y] = multiply(multiply(matrix, this.#text), [1, 0, 0, 1, 0, rise])
    let text = ''
    let advance = 0
    for (const glyph of glyphs as readonly unknown[]) {
      if (typeof glyph === 'number') advance -= (glyph / 1000) * size
      if (typeof glyph !== 'object' || glyph === null) continue
      const { unicode, width, isSpace } = glyph as { unicode?: unknown; width?: unknown; isSpace?: unknown }
      if (typeof unicode === 'string') text += unicode
      advance += (Number(width ?? 0) / 1000) * size + spacing + (isSpace === true ? wordSpacing : 0)
    }
    const box = boundsOf([0, 0, advance * stretch, LETTER * size], [a, b, c, d, x, y])
    this.#text = multiply(this.#text, [1, 0, 0, 1, advance * stretch, 0])
    if (text.trim() === '') return
    const drawn = Math.abs(size) * Math.min(Math.hypot(c, d), Math.hypot(a, b) * Math.abs(stretch))
    const isForm = mode === 7
    const isInvisible = mode === 3 || isForm
    const isTransparent = alpha <= MAX_ALPHA
    const colours = this.#inks(mode)
    const isLikeGround = colours.length > 0 && colours.every((colour) => this.#isLikeAny(colour))
    const [, , , , end] = multiply(matrix, this.#text)
    const isClipped = areaOf(overlapOf(box, clip.box)) < MAX_LEFT * areaOf(box)
    const show: Show = {
      text,
      x,
      y,
      end,
      size: drawn,
      box,
      isInvisible,
      isTransparent,
      isClipped,
      isCovered: false,
      colours: isLikeGround ? colours : [],
      fills: this.#fills.length,
    }
    if (isForm) this.#set({ letters: [...this.#state.letters, show].slice(-MAX_LETTERS) })
    const isSuspicious =
      isInvisible || isTransparent || isClipped || isLikeGround || drawn < MAX_SIZE || this.#isOutside(show)
    const list = isSuspicious ? this.#shows : this.#plain
    if (list.length < MAX_KEPT) list.push(show)
  }

  /** Returns the colours that letters are drawn with; none where one is not known. */
  #inks(mode: number): readonly Rgb[] {
    const { colour, lines } = this.#state
    const inks = mode === 0 ? [colour] : mode === 1 ? [lines] : mode === 2 ? [colour, lines] : []
    const known = inks.flatMap((ink) => (ink === undefined ? [] : [ink]))
    return known.length === inks.length ? known : []
  }

  #isLikeAny(colour: Rgb): boolean {
    return areAlike(colour, WHITE) || this.#fills.some((fill) => areAlike(fill.colour, colour))
  }

  #isOutside({ x, y, end, size }: Pick<Show, 'x' | 'y' | 'end' | 'size'>): boolean {
    const { width, height } = this.#page
    if (Math.max(x, end) < -OUTSIDE) return true
    return x > width + OUTSIDE || y < -OUTSIDE || y - size > height + OUTSIDE
  }

  #fill(args: readonly unknown[], matrix: readonly number[]): void {
    const ops = this.#operations
    const name = FILLS.find((fill) => ops[fill] === args[0])
    if (name === undefined || this.#isInHiddenLayer()) return
    this.#fillLetters()
    const { colour, alpha, isMixed, clip } = this.#state
    if (colour === undefined) this.#hasShades = true
    else if (alpha > 0.5 && isNumbers(args[2]) && this.#fills.length < MAX_KEPT)
      this.#fills.push({ box: shapeAround(args[2], matrix), colour })
    if (colour === undefined || alpha < MIN_COVER_ALPHA || isMixed || !clip.isExact) return
    for (const box of rectanglesIn(args, matrix, /^(?:eo|closeEO)/.test(name))) this.#cover(overlapOf(box, clip.box))
  }

  /** Covers what has been drawn with an opaque box. */
  #cover(box: Shape): void {
    if (box.bottom - box.top < MAX_SIZE || box.right - box.left < MAX_SIZE || this.#covers >= MAX_COVERS) return
    this.#covers += 1
    for (const list of [this.#plain, this.#shows])
      for (const show of list) {
        const { left, right, top, bottom } = show.box
        if (show.isCovered || box.top > top || box.bottom < bottom || box.left >= right || box.right <= left) continue
        const rest = {
          ...show.box,
          left: box.left <= left ? box.right : left,
          right: box.right >= right ? box.left : right,
        }
        show.box = rest
        show.isCovered = rest.right <= rest.left
      }
  }

  /**
   * Removes what is not seen from the text of a page.
   *
   * @param view from the coordinates of the text to those of the upright page
   * @param pictures places of pictures: invisible text on them is that of a scan, and they may be dark
   */
  drop(
    content: TextContent,
    view: readonly number[],
    pictures: readonly Shape[],
  ): { readonly content: TextContent; readonly lines: readonly UnseenLine[] } {
    const covered = this.#plain.filter(({ isCovered }) => isCovered)
    const hidden = [...this.#shows, ...covered].flatMap((show) => {
      const reason = this.#reasonFor(show, pictures)
      return reason === undefined ? [] : [{ ...show, reason, signs: signsOf(show.text) }]
    })
    if (hidden.length === 0) return { content, lines: [] }
    const inside = hidden.filter((show) => !this.#isOutside(show))
    const all = content.items.reduce((sum, item) => sum + ('str' in item ? signsOf(item.str).length : 0), 0)
    if (inside.reduce((sum, { signs }) => sum + signs.length, 0) > all * MAX_SHARE) return { content, lines: [] }
    const byLine = new Map<number, (typeof hidden)[number][]>()
    for (const show of hidden) {
      const key = Math.round(show.y)
      const line = byLine.get(key)
      if (line === undefined) byLine.set(key, [show])
      else line.push(show)
    }
    // The library itself leaves out most of what lies outside of the page.
    const lines: UnseenLine[] = hidden.filter((show) => this.#isOutside(show))
    const items = content.items.flatMap((item) => {
      if (!('str' in item) || item.str.trim() === '') return item
      const [, , , , x, y] = multiply(view, item.transform)
      const signs = signsOf(item.str)
      const own: typeof hidden = []
      for (const line of [-1, 0, 1].map((step) => Math.round(y) + step)) {
        const shows = byLine.get(line) ?? []
        const found = shows.filter((show) => isAt(show, item, x) && signs.includes(show.signs))
        if (found.length === 0) continue
        // Each is removed once: what is seen may stand where it is hidden as well.
        const taken = new Set(found)
        byLine.set(
          line,
          shows.filter((show) => !taken.has(show)),
        )
        own.push(...found)
      }
      if (own.length === 0) return item
      const left = without(item.str, own)
      if (left === item.str) return item
      const further = own.filter((show) => !lines.includes(show))
      const [first] = further
      if (first !== undefined) lines.push({ text: further.map(({ text }) => text).join(' '), reason: first.reason })
      return left.trim() === '' ? [] : { ...item, str: left }
    })
    return { content: { ...content, items }, lines: lines.map(({ text, reason }) => ({ text, reason })) }
  }

  #reasonFor(show: Show, pictures: readonly Shape[]): string | undefined {
    if (this.#isOutside(show)) return 'lies outside of the page'
    const isOnPicture = pictures.some((box) => contains(box, show))
    if (show.isInvisible) return isOnPicture ? undefined : 'is drawn invisibly'
    if (show.isTransparent) return 'is transparent'
    if (show.isClipped) return 'is cut off'
    if (show.isCovered) return 'is covered by an opaque box'
    if (show.size < MAX_SIZE) return 'is too small to be read'
    if (show.colours.length === 0 || isOnPicture || this.#hasShades) return undefined
    const ground = this.#fills.slice(0, show.fills).findLast(({ box }) => isGround(box, show))
    const isLike = show.colours.every((colour) => areAlike(colour, ground?.colour ?? WHITE))
    return isLike ? 'has the colour of its background' : undefined
  }
}

const IDENTITY: readonly number[] = [1, 0, 0, 1, 0, 0]

/** Names of the operations that fill a path. */
const FILLS = ['fill', 'eoFill', 'fillStroke', 'eoFillStroke', 'closeFillStroke', 'closeEOFillStroke'] as const

/** True for a matrix that turns nothing, or by a right angle. */
const isLevel = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): boolean =>
  Math.min(Math.abs(a) + Math.abs(d), Math.abs(b) + Math.abs(c)) < 0.001 * Math.hypot(a, b, c, d)

const areaOf = ({ left, right, top, bottom }: Shape): number => (right - left) * (bottom - top)

const areAlike = (one: Rgb, other: Rgb): boolean =>
  one.every((value, at) => Math.abs(value - (other[at] ?? 0)) <= MAX_DIFFERENCE)

function rgbOf(args: readonly unknown[]): Rgb | undefined {
  const [first] = args
  if (typeof first === 'string') {
    const value = /^#([\da-f]{6})$/i.exec(first)?.[1]
    const number = Number.parseInt(value ?? '', 16)
    return value === undefined ? undefined : [number >> 16, (number >> 8) & 255, number & 255]
  }
  const [red = 0, green = 0, blue = 0] = args.map(Number)
  return [red, green, blue]
}

const contains = ({ left, right, top, bottom }: Shape, { x, y, size }: Show): boolean =>
  x + size / 4 >= left && x <= right && y - size / 4 >= top && y - size / 2 <= bottom

/** Minimum height of a background, of that of the text on it. Lower shapes are lines through or below the words beside it. */
const MIN_GROUND = 0.5

const isGround = (box: Shape, show: Show): boolean =>
  box.bottom - box.top >= MIN_GROUND * show.size && contains(box, show)

/** True for a text that begins within an item of the page's text. */
const isAt = (show: Show, { width, dir }: TextItem, x: number): boolean =>
  dir === 'ttb' || (show.x >= x - Math.max(2, show.size) && show.x <= x + Math.abs(width) + 2)

const signsOf = (text: string): string => text.replace(/\s+/g, '')

/** Removes texts one after the other, whatever their spaces. One that is not there removes nothing. */
function without(text: string, removed: readonly { readonly signs: string }[]): string {
  let left = signsOf(text)
  /** Positions of the signs that are left, among all signs. */
  const places = Uint32Array.from({ length: left.length }, (_, at) => at)
  for (const { signs } of removed) {
    const at = left.indexOf(signs)
    if (at === -1 || signs === '') continue
    places.copyWithin(at, at + signs.length, left.length)
    left = left.slice(0, at) + left.slice(at + signs.length)
  }
  let seen = 0
  let next = 0
  let kept = ''
  for (const sign of text.split('')) {
    const isSign = sign.trim() !== ''
    const isLeft = isSign && next < left.length && places[next] === seen
    if (!isSign || isLeft) kept += sign
    if (isSign) seen += 1
    if (isLeft) next += 1
  }
  return kept
}
