import type { Element } from '../../html/tree.js'
import type { PageStyles } from './page-styles.js'
import type { Declarations } from './read-declarations.js'
import { blend, type Rgba, colourOf, contrastOf, lengthOf } from './style-values.js'

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
  readonly mayHide: (value: string, name: string, styles?: PageStyles) => boolean
  /** Tests the computed style of an element, or of the element around a text. */
  readonly hides: (element: Element, styles: PageStyles) => boolean
}

/** Maximum opacity, and maximum size of text in pixels, that nobody sees. The least that was read in tests were .1 and 4 pixels. */
const MAX_OPACITY = 0.05
const MAX_SIZE = 2.5
/** Maximum contrast of text that nobody sees: light grey (#eee) on white has 1.16. */
const MAX_CONTRAST = 1.12
/** Minimum distance from the window's edge of what is out of sight. Pixels. Menus at the side are moved by their width. */
const MIN_AWAY = 990

const isAway = (value: string | undefined): boolean => {
  const length = lengthOf(value)
  return length !== undefined && length <= -MIN_AWAY
}

const isFarRight = (value: string | undefined): boolean => {
  const length = lengthOf(value)
  return length !== undefined && length >= 2000
}

const isNothing = (value: string | undefined, most = 0.5): boolean => {
  const length = lengthOf(value)
  return length !== undefined && length >= 0 && length <= most
}

const isCut = (element: Element, styles: PageStyles, axis: 'x' | 'y'): boolean =>
  /hidden|clip/.test(styles.valueOf(element, `overflow-${axis}`) ?? styles.valueOf(element, 'overflow') ?? '')

const isPlaced = (element: Element, styles: PageStyles): boolean =>
  /absolute|fixed|relative|sticky/.test(styles.valueOf(element, 'position') ?? '')

/** Tests the numbers in a function of `transform`, such as `scale`. */
const hasZeroScale = (value: string): boolean =>
  /(?:^|\s)scale(?:3d|x|y)?\(\s*(?:0*\.?0+[1-4]?\s*[,)]|[\d.]+\s*,\s*0*\.?0+\s*[,)])/.test(value) ||
  /(?:^|\s)matrix\(\s*0\s*,\s*0\s*,\s*0\s*,\s*0/.test(value) ||
  /rotate[xy]\(\s*-?(?:90|270)deg\s*\)/.test(value)

const isMovedAway = (value: string): boolean =>
  [...value.matchAll(/(?:^|[\s,(])(-?[\d.]+(?:px|vw|vh|em|rem))/g)].some(
    ([, length]) => isAway(length) || isFarRight(length),
  )

/** Sides of the property `inset`: top, right, bottom, left. */
const sidesOf = (value: string): string[] => value.split(/\s+/)

/** True for a shape that leaves nothing to see. */
function isEmptyShape(value: string): boolean {
  const [, kind = '', inner = ''] = /^(inset|circle|ellipse|polygon|rect|path)\((.*)\)/.exec(value) ?? []
  const numbers = inner.split(/\bat\b|\bround\b/)[0]?.match(/-?[\d.]+%?/g) ?? []
  switch (kind) {
    case 'inset': {
      const [top = 0, right = top, bottom = top, left = right] = numbers.map((one) =>
        one.endsWith('%') ? Number.parseFloat(one) : 0,
      )
      return top + bottom >= 100 || left + right >= 100
    }
    case 'circle':
    case 'ellipse':
      return numbers.some((one) => Number.parseFloat(one) === 0)
    case 'polygon': {
      const points = inner.split(',').map((one) => one.trim().replaceAll(/\b0(?:px|%)/g, '0'))
      return points.length > 1 && new Set(points).size === 1
    }
    case 'path':
      return /^\s*["']\s*["']/.test(inner)
    case 'rect': {
      // The sides of the old property `clip`, of which opposite ones meet.
      const [top = NaN, right = NaN, bottom = NaN, left = NaN] = inner
        .split(/[\s,]+/)
        .map((one) => Number.parseFloat(one))
      return bottom - top <= 1 || right - left <= 1
    }
    default:
      return false
  }
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
      styles.valueOf(element, 'content-visibility') === 'hidden',
  },
  {
    why: 'is transparent',
    properties: ['opacity', 'filter'],
    mayOpen: true,
    mayHide: (value, name) => (name === 'filter' ? value.includes('opacity') : isTransparent(value)),
    hides: (element, styles) =>
      isTransparent(styles.valueOf(element, 'opacity') ?? '1') ||
      isTransparent(/opacity\(\s*([^)]*)\)/.exec(styles.valueOf(element, 'filter') ?? '')?.[1]?.trim() ?? '1'),
  },
  {
    why: 'is cut to no height or width',
    properties: ['height', 'max-height', 'width', 'max-width', 'overflow', 'overflow-x', 'overflow-y'],
    mayOpen: true,
    mayHide: (value, name) => !name.startsWith('overflow') && isNothing(value),
    hides: (element, styles) =>
      (['height', 'max-height'].some((name) => isNothing(styles.valueOf(element, name))) &&
        isCut(element, styles, 'y')) ||
      (['width', 'max-width'].some((name) => isNothing(styles.valueOf(element, name))) && isCut(element, styles, 'x')),
  },
  {
    why: 'is cut to one pixel',
    properties: ['height', 'width', 'overflow', 'position'],
    isForScreenReaders: true,
    mayHide: (value, name) => (name === 'height' || name === 'width') && isNothing(value, 1.5),
    hides: (element, styles) =>
      (isNothing(styles.valueOf(element, 'height'), 1.5) && isCut(element, styles, 'y')) ||
      (isNothing(styles.valueOf(element, 'width'), 1.5) && isCut(element, styles, 'x')),
  },
  {
    why: 'is clipped to nothing',
    properties: ['clip', 'clip-path'],
    isForScreenReaders: true,
    mayHide: isEmptyShape,
    hides: (element, styles) =>
      isEmptyShape(styles.valueOf(element, 'clip-path') ?? '') ||
      (/absolute|fixed/.test(styles.valueOf(element, 'position') ?? '') &&
        isEmptyShape(styles.valueOf(element, 'clip') ?? '')),
  },
  {
    why: 'is scaled or turned to nothing',
    properties: ['transform', 'scale'],
    mayOpen: true,
    mayHide: (value, name) => (name === 'scale' ? /^(?:0*\.?0+%?)(?:\s|$)/.test(value) : hasZeroScale(value)),
    hides: (element, styles) =>
      hasZeroScale(styles.valueOf(element, 'transform') ?? '') ||
      /^0*\.?0+%?(?:\s|$)/.test(styles.valueOf(element, 'scale') ?? ''),
  },
  {
    why: 'lies outside of the page',
    properties: [
      'position',
      'left',
      'right',
      'top',
      'bottom',
      'inset',
      'margin',
      'margin-left',
      'margin-top',
      'transform',
      'translate',
    ],
    isForScreenReaders: true,
    mayHide: (value, name) =>
      name === 'position'
        ? false
        : isMovedAway(value) || sidesOf(value).some((side) => isAway(side) || isFarRight(side)),
    hides: (element, styles) =>
      (isPlaced(element, styles) &&
        (['left', 'right', 'top', 'bottom'].some((side) => isAway(styles.valueOf(element, side))) ||
          ['left', 'top'].some((side) => isFarRight(styles.valueOf(element, side))) ||
          sidesOf(styles.valueOf(element, 'inset') ?? '').some((side) => isAway(side) || isFarRight(side)))) ||
      ['margin-left', 'margin-top'].some((side) => isAway(styles.valueOf(element, side))) ||
      sidesOf(styles.valueOf(element, 'margin') ?? '').some(isAway) ||
      isMovedAway(
        styles.valueOf(element, 'transform')?.includes('translate') === true
          ? (styles.valueOf(element, 'transform') ?? '')
          : '',
      ) ||
      isMovedAway(styles.valueOf(element, 'translate') ?? ''),
  },
  {
    why: 'is indented out of the page',
    properties: ['text-indent'],
    isForScreenReaders: true,
    isInherited: true,
    mayHide: (value) => isIndentedAway(value),
    hides: (element, styles) => isIndentedAway(styles.inherited(element, 'text-indent') ?? ''),
  },
  {
    why: 'is too small to be read',
    properties: ['font-size', 'font'],
    isForScreenReaders: true,
    isInherited: true,
    mayHide: (value, name) =>
      (lengthOf(name === 'font' ? (/(?:^|\s)([\d.]+[a-z%]*)(?=[\s/])/.exec(value)?.[1] ?? '') : value, 16, 16) ?? 16) <
      MAX_SIZE,
    hides: (element, styles) => styles.fontSizeOf(element) < MAX_SIZE,
  },
  {
    why: 'has the colour of its background',
    properties: ['color', '-webkit-text-fill-color', 'background', 'background-color'],
    isInherited: true,
    mayHide: (value, name, styles) =>
      name.endsWith('color') && name !== 'background-color' && mayBeGround(value, styles),
    hides: hasColourOfGround,
  },
]

const isTransparent = (value: string): boolean => {
  const number = Number.parseFloat(value)
  return (value.endsWith('%') ? number / 100 : number) <= MAX_OPACITY
}

const isIndentedAway = (value: string): boolean => {
  const length = lengthOf(value)
  return (length !== undefined && (length <= -400 || length >= 2000)) || /^(?:-?\d{3,})%$/.test(value)
}

/** True for a colour of text that a background of the page has as well. */
function mayBeGround(value: string, styles: PageStyles | undefined): boolean {
  const colour = colourOf(value)
  return colour !== undefined && (styles === undefined || isGround(colour, styles))
}

const isGround = (colour: Rgba, styles: PageStyles): boolean =>
  colour[3] < 1 || styles.hasGroundLike(colour, MAX_CONTRAST)

function hasColourOfGround(element: Element, styles: PageStyles): boolean {
  const colour = styles.textColourOf(element)
  if (colour === undefined || !isGround(colour, styles)) return false
  // White text on a dark picture has a shadow as well.
  if (!/^(?:none)?$/.test(styles.inherited(element, 'text-shadow') ?? '')) return false
  const clip =
    styles.valueOf(element, 'background-clip') ??
    styles.valueOf(element, '-webkit-background-clip') ??
    styles.valueOf(element, 'background')
  if (clip?.includes('text') === true) return false
  if (colour[3] < 0.08) return true
  const ground = styles.groundOf(element)
  if (ground === undefined || contrastOf(colour[3] < 1 ? blend(colour, ground) : colour, ground) >= MAX_CONTRAST)
    return false
  return !styles.isOverPicture(element)
}

/** True for declarations that undo a way of hiding. */
export const shows = (rule: HidingRule, declarations: Declarations): boolean =>
  rule.properties.some((name) => {
    const value = declarations.get(name)?.value
    return value !== undefined && !rule.mayHide(value, name)
  })
