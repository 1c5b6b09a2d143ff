import { type Element, isElement, parentElement } from '../../html/tree.js'
import { numberOf } from './css-math.js'
import * as values from './hiding-values.js'
import { colourIn, type PageStyles } from './page-styles.js'
import type { Declarations } from './read-declarations.js'
import { splitAtSpaces } from './split-value.js'
import { MAX_CONTRAST, blend, colourOf, contrastOf, type Rgba } from './style-colours.js'

/** A way in which style sheets hide text. */
export interface HidingRule {
  /** Predicate for `document.hidden` and traces. */
  readonly why: string
  /** The properties that do it. Another value of one of them shows the text again. */
  readonly properties: readonly string[]
  /**
   * Set for a way in which pages hide what a click or a script shows: panels, tabs, texts that come into view. Such a text is
   * kept where the page shows how it is opened.
   */
  readonly mayOpen?: true
  /** Set for a way in which text is left to screen readers. */
  readonly isForScreenReaders?: true
  /** Set for a property whose value elements inside another inherit, and may change: each text is tested on its own. */
  readonly isInherited?: true
  /** Tests the value of one declaration, quickly: false for one that cannot hide. @param styles of the page. @default not known */
  readonly mayHide: (value: string, name: string, styles?: GroundColours) => boolean
  /** Tests the computed style of an element, or of the element around a text. */
  readonly hides: (element: Element, styles: PageStyles) => boolean
}

/** Knows the colours of the backgrounds of a page. */
type GroundColours = Pick<PageStyles, 'hasGroundLike'>

/** Maximum size of text in pixels that nobody can read. The least that was read in tests was 4 pixels. */
const MAX_SIZE = 2.5
const MAX_ZOOM = 0.12
/** Maximum size of a box in which nothing is read. Pixels. */
const ONE_PIXEL = 2
/** Minimum size of what a line of text can be read in. Pixels. */
const MIN_ROOM = 6
/** Maximum opacity of an element that may be nothing together with those around it. */
const MAX_PART = 0.5

const isCut = (element: Element, styles: PageStyles, axis: 'x' | 'y'): boolean =>
  /hidden|clip|auto|scroll/.test(styles.valueOf(element, `overflow-${axis}`) ?? '') ||
  /paint|strict|content/.test(styles.valueOf(element, 'contain') ?? '') ||
  element.name === 'svg' ||
  element.name === 'foreignobject'

const isPlaced = (element: Element, styles: PageStyles): boolean =>
  /absolute|fixed|relative|sticky/.test(styles.valueOf(element, 'position') ?? '')

/** True for an element without a height or a width to speak of, that cuts off what is in it. */
function isCutShort(element: Element, styles: PageStyles, axis: 'x' | 'y', most?: number): boolean {
  const [size, max] = axis === 'y' ? (['height', 'max-height'] as const) : (['width', 'max-width'] as const)
  return (
    (values.isNothing(styles.valueOf(element, size), most) ||
      (most === undefined && values.isNothing(styles.valueOf(element, max), ONE_PIXEL))) &&
    isCut(element, styles, axis) &&
    !isStretched(element, styles, axis)
  )
}

/** True for what is larger than its size: it takes the room that is left, has a least size or padding, or is a cell. */
function isStretched(element: Element, styles: PageStyles, axis: 'x' | 'y'): boolean {
  const value = (name: string): string => styles.valueOf(element, name) ?? ''
  const isLarge = (name: string): boolean => /^[\d.]+%/.test(value(name)) || (numberOf(value(name)) ?? 0) > MIN_ROOM
  return (
    Number.parseFloat(value('flex-grow')) > 0 ||
    /^(?:auto|[1-9]|0?\.\d)/.test(value('flex')) ||
    (axis === 'y' ? ['min-height', 'padding-top', 'padding-bottom'] : ['min-width']).some(isLarge) ||
    (axis === 'x' && (element.name === 'td' || element.name === 'th'))
  )
}

/** Ways in which style sheets hide text. The first that applies is named. */
export const hidingRules: readonly HidingRule[] = [
  {
    why: 'has `display: none` in a style sheet of the page',
    properties: ['display'],
    mayOpen: true,
    mayHide: (value) => value === 'none',
    hides: (element, styles) => styles.valueOf(element, 'display') === 'none',
  },
  {
    why: 'has `visibility: hidden` in a style sheet of the page',
    properties: ['visibility', 'content-visibility'],
    mayOpen: true,
    isInherited: true,
    mayHide: (value) => value === 'hidden' || value === 'collapse',
    hides: (element, styles) =>
      /hidden|collapse/.test(styles.inherited(element, 'visibility') ?? '') ||
      styles.inherited(element, 'content-visibility') === 'hidden',
  },
  {
    why: 'is transparent',
    properties: ['opacity', 'filter'],
    mayOpen: true,
    mayHide: (value, name) => (name === 'filter' ? values.isFilteredAway(value) : values.opacityOf(value) <= MAX_PART),
    hides: (element, styles) =>
      values.isTransparent(styles.opacityOf(element)) || values.isFilteredAway(styles.valueOf(element, 'filter') ?? ''),
  },
  {
    why: 'is cut to no height or width',
    properties: [
      'height',
      'max-height',
      'width',
      'max-width',
      'line-height',
      'grid-template-rows',
      'overflow-x',
      'overflow-y',
    ],
    mayOpen: true,
    mayHide: (value, name) =>
      !name.startsWith('overflow') &&
      (name === 'grid-template-rows'
        ? value === '0fr'
        : values.isNothing(value, name.startsWith('max') ? ONE_PIXEL : undefined)),
    hides: (element, styles) =>
      isCutShort(element, styles, 'y') ||
      isCutShort(element, styles, 'x') ||
      (values.isNothing(styles.valueOf(element, 'line-height')) &&
        isCut(element, styles, 'y') &&
        !(Number.parseFloat(styles.valueOf(element, 'height') ?? '0') > 0) &&
        !isStretched(element, styles, 'y')) ||
      (styles.valueOf(element, 'grid-template-rows') === '0fr' &&
        element.children.every((child) => !isElement(child) || isCut(child, styles, 'y'))),
  },
  {
    why: 'is cut to one pixel',
    properties: ['height', 'width', 'overflow-x', 'overflow-y', 'position'],
    isForScreenReaders: true,
    mayHide: (value, name) => /height|width/.test(name) && values.isNothing(value, ONE_PIXEL),
    hides: (element, styles) =>
      isCutShort(element, styles, 'y', ONE_PIXEL) || isCutShort(element, styles, 'x', ONE_PIXEL),
  },
  {
    why: 'is clipped to nothing',
    properties: ['clip', 'clip-path'],
    isForScreenReaders: true,
    mayHide: values.isEmptyShape,
    hides: (element, styles) =>
      values.isEmptyShape(styles.valueOf(element, 'clip-path') ?? '') ||
      (/absolute|fixed/.test(styles.valueOf(element, 'position') ?? '') &&
        values.isEmptyShape(styles.valueOf(element, 'clip') ?? '')),
  },
  {
    why: 'is behind a mask that shows nothing',
    properties: ['mask', 'mask-image', 'mask-size'],
    mayHide: (value, name) => values.isEmptyMask(name, value),
    hides: (element, styles) =>
      ['mask', 'mask-image'].some((name) => values.isEmptyMask(name, styles.valueOf(element, name) ?? '')) ||
      (/gradient|url/.test(styles.valueOf(element, 'mask-image') ?? styles.valueOf(element, 'mask') ?? '') &&
        values.isEmptyMask('mask-size', styles.valueOf(element, 'mask-size') ?? 'auto')),
  },
  {
    why: 'is scaled or turned to nothing',
    properties: ['transform', 'scale', 'rotate'],
    mayOpen: true,
    mayHide: (value, name) => (name === 'transform' ? values.isShrunk(value) : values.isShrunkBy(name, value)),
    hides: (element, styles) =>
      values.isShrunk(styles.valueOf(element, 'transform') ?? '') ||
      ['scale', 'rotate'].some((name) => values.isShrunkBy(name, styles.valueOf(element, name) ?? '')),
  },
  {
    why: 'lies outside of the page',
    properties: ['position', 'left', 'right', 'top', 'bottom', 'margin-left', 'margin-top', 'transform', 'translate'],
    isForScreenReaders: true,
    mayHide: (value, name) =>
      name === 'position'
        ? false
        : name.startsWith('trans')
          ? values.isMovedAway(name, value)
          : values.isAway(value) || values.isFar(value, MIN_VIEWS),
    hides: (element, styles) =>
      (isPlaced(element, styles) && isPlacedAway(element, styles)) ||
      ['margin-left', 'margin-top'].some((side) => values.isAway(styles.valueOf(element, side))) ||
      ['transform', 'translate'].some((name) => values.isMovedAway(name, styles.valueOf(element, name) ?? '')),
  },
  {
    why: 'is indented out of the page',
    properties: ['text-indent'],
    isForScreenReaders: true,
    isInherited: true,
    mayHide: values.isIndentedAway,
    hides: (element, styles) => values.isIndentedAway(styles.inherited(element, 'text-indent') ?? ''),
  },
  {
    why: 'is too small to be read',
    properties: ['font-size', 'zoom'],
    isForScreenReaders: true,
    isInherited: true,
    mayHide: (value, name) => {
      const size = numberOf(value, { whole: name === 'zoom' ? 1 : 16 })
      return size !== undefined && size < (name === 'zoom' ? MAX_ZOOM : MAX_SIZE)
    },
    hides: (element, styles) =>
      styles.fontSizeOf(element) < MAX_SIZE ||
      (numberOf(styles.inherited(element, 'zoom'), { whole: 1 }) ?? 1) < MAX_ZOOM,
  },
  {
    why: 'has the colour of its background',
    properties: ['color', '-webkit-text-fill-color', 'background', 'background-color'],
    isInherited: true,
    mayHide: (value, name, styles) => (name.startsWith('background') ? isBlack(value) : mayBeGround(value, styles)),
    hides: hasColourOfGround,
  },
  {
    why: 'is never drawn',
    properties: ['undrawn'],
    isInherited: true,
    mayHide: () => true,
    hides: (element, styles) => styles.inherited(element, 'undrawn') !== undefined,
  },
  {
    why: 'is drawn without a colour',
    properties: ['fill', 'fill-opacity'],
    isInherited: true,
    mayHide: (value, name, styles) =>
      name === 'fill' ? value === 'none' || mayBeGround(value, styles) : values.isTransparent(values.opacityOf(value)),
    hides: isDrawnWithoutColour,
  },
]

/** True for a background in the colour that a text without one has. */
function isBlack(value: string): boolean {
  const colour = colourOf(colourIn(value))
  return colour !== undefined && colour[3] > 0.5 && contrastOf(colour, BLACK) < MAX_CONTRAST
}

const BLACK: Rgba = [0, 0, 0, 1]

/** Minimum distance of what is fixed out of the window. Pixels. */
const MIN_VIEWS = 1300
/** Minimum distance below the top of the page to which nobody scrolls. Pixels. */
const MIN_DOWN = 50_000

function isPlacedAway(element: Element, styles: PageStyles): boolean {
  const isFixed = styles.valueOf(element, 'position') === 'fixed'
  return ['left', 'right', 'top', 'bottom'].some((side) => {
    const value = styles.valueOf(element, side)
    // A page is as long as what is placed on it, unless something cuts it off: its readers scroll down.
    const least = isFixed ? MIN_VIEWS : side === 'top' && !styles.isCutOff(element) ? MIN_DOWN : undefined
    return values.isAway(value) || values.isFar(value, least)
  })
}

/** True for a colour of text that a background of the page has as well. */
function mayBeGround(value: string, styles: GroundColours | undefined): boolean {
  const colour = colourOf(value)
  return colour !== undefined && (styles === undefined || isGround(colour, styles))
}

const isGround = (colour: Rgba, styles: GroundColours): boolean =>
  colour[3] < 1 || styles.hasGroundLike(colour, MAX_CONTRAST)

function hasColourOfGround(element: Element, styles: PageStyles): boolean {
  const colour = styles.textColourOf(element)
  if (colour === undefined || !isGround(colour, styles)) return false
  // White text on a dark picture has a shadow as well.
  if (!/^(?:none)?$/.test(styles.inherited(element, 'text-shadow') ?? '')) return false
  if ((colour[3] < 1 && styles.isCutOut(element)) || hasSeenStroke(element, styles)) return false
  if (colour[3] < 0.08) return true
  return isLikeGround(colour, element, styles) && !styles.isOverPicture(element)
}

/** True for letters with a line around them that is seen. */
function hasSeenStroke(element: Element, styles: PageStyles): boolean {
  const whole = styles.inherited(element, '-webkit-text-stroke')
  const width = styles.inherited(element, '-webkit-text-stroke-width') ?? whole
  if (width === undefined || !splitAtSpaces(width).some((word) => /[a-z]$/.test(word) && (numberOf(word) ?? 0) > 0))
    return false
  const written = styles.inherited(element, '-webkit-text-stroke-color') ?? colourIn(whole)
  const isOwn = written === undefined || /^(?:none|currentcolor)$/.test(written)
  const colour = colourOf(isOwn ? (styles.inherited(element, 'color') ?? 'black') : written)
  return colour !== undefined && colour[3] >= 0.08 && !isLikeGround(colour, element, styles)
}

function isLikeGround(colour: Rgba, element: Element, styles: PageStyles): boolean {
  const ground = styles.groundOf(element)
  return ground !== undefined && contrastOf(colour[3] < 1 ? blend(colour, ground) : colour, ground) < MAX_CONTRAST
}

/** Elements of a drawing that cover what is behind them. */
const SHAPES = new Set([
  'rect',
  'path',
  'circle',
  'ellipse',
  'polygon',
  'image',
  'use',
  'line',
  'polyline',
  'foreignobject',
])

function isDrawnWithoutColour(element: Element, styles: PageStyles): boolean {
  let drawing: Element | undefined = element
  while (drawing !== undefined && drawing.name !== 'svg') drawing = parentElement(drawing)
  if (drawing === undefined) return false
  const stroke = styles.inherited(element, 'stroke') ?? 'none'
  if (stroke !== 'none') return false
  const fill = styles.inherited(element, 'fill')
  if (fill === 'none' || values.isTransparent(values.opacityOf(styles.inherited(element, 'fill-opacity')))) return true
  const colour = colourOf(fill)
  if (colour === undefined) return false
  if (values.isTransparent(colour[3])) return true
  const around = parentElement(drawing)
  return around !== undefined && !styles.hasWithin(drawing, SHAPES) && isLikeGround(colour, around, styles)
}

/** True for declarations that undo a way of hiding. */
export const shows = (rule: HidingRule, declarations: Declarations): boolean =>
  rule.properties.some((name) => {
    const value = declarations.get(name)?.value
    return value !== undefined && !rule.mayHide(value, name)
  })
