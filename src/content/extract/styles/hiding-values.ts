import { numberOf } from './css-math.js'
import { functionsIn, splitAtCommas, splitAtSpaces, type StyleFunction } from './split-value.js'
import { colourOf, type Rgba } from './style-colours.js'

/** Maximum opacity that nobody sees. The least that was read in tests was .1. */
const MAX_OPACITY = 0.05
/** Maximum size of what is scaled down, of 1. */
const MAX_SCALE = 0.05
/** Minimum distance from the window's edge of what is out of sight. Pixels. Menus at the side are moved by their width. */
const MIN_AWAY = 990
const MIN_FAR = 2000
/** Value of 100 % in positions, such that panels and slides, which are moved by once or twice their width, are not out of sight. */
const WHOLE = 450

/** Returns an opacity of at most 1; 1 for what is none. */
export function opacityOf(value: string | undefined): number {
  const number = numberOf(value, { whole: 1 })
  return number === undefined ? 1 : Math.min(1, Math.max(0, number))
}

export const isTransparent = (opacity: number): boolean => opacity <= MAX_OPACITY

/** True for a filter that leaves nothing. */
export const isFilteredAway = (value: string): boolean =>
  functionsIn(value).some(({ name, args }) => name === 'opacity' && isTransparent(opacityOf(args[0])))

export const isAway = (value: string | undefined): boolean => {
  const length = numberOf(value, { whole: WHOLE })
  return length !== undefined && length <= -MIN_AWAY
}

export const isFar = (value: string | undefined, least = MIN_FAR): boolean => {
  const length = numberOf(value, { whole: WHOLE })
  return length !== undefined && length >= least
}

/** True for a length of nearly nothing. @param most pixels. @default .5 */
export const isNothing = (value: string | undefined, most = 0.5): boolean => {
  const length = numberOf(value)
  return length !== undefined && length >= 0 && length <= most
}

/** True for a scale, a turn or a matrix that leaves nothing of an element. */
export const isShrunk = (transform: string): boolean => functionsIn(transform).some(shrinks)

function shrinks({ name, args }: StyleFunction): boolean {
  const number = (at: number): number => numberOf(args[at], { whole: 1 }) ?? 1
  switch (name) {
    case 'scale':
    case 'scale3d':
      return Math.abs(number(0)) <= MAX_SCALE || (args.length > 1 && Math.abs(number(1)) <= MAX_SCALE)
    case 'scalex':
    case 'scaley':
      return Math.abs(number(0)) <= MAX_SCALE
    case 'rotatex':
    case 'rotatey':
      return isOnEdge(number(0))
    case 'rotate3d':
      return number(2) === 0 && isOnEdge(number(3))
    case 'matrix':
      return Math.abs(number(0) * number(3) - number(1) * number(2)) <= MAX_SCALE ** 2
    case 'matrix3d':
      return Math.abs(number(0) * number(5) - number(1) * number(4)) <= MAX_SCALE ** 2
    default:
      return false
  }
}

const isOnEdge = (angle: number): boolean => Math.abs(Math.cos((angle * Math.PI) / 180)) < 0.02

/** As {@link isShrunk}, for the properties `scale` and `rotate`. */
export function isShrunkBy(name: string, value: string): boolean {
  const words = splitAtSpaces(value)
  if (name === 'scale')
    return words.slice(0, 2).some((word) => Math.abs(numberOf(word, { whole: 1 }) ?? 1) <= MAX_SCALE)
  return /^[xy]$/.test(words[0] ?? '') && isOnEdge(numberOf(words[1]) ?? 0)
}

/** True for a shift out of the page, by `transform` or `translate`. */
export function isMovedAway(name: string, value: string): boolean {
  const isOut = (length: string | undefined): boolean => isAway(length) || isFar(length)
  if (name === 'translate') return splitAtSpaces(value).slice(0, 2).some(isOut)
  return functionsIn(value).some(
    ({ name: kind, args }) =>
      (kind.startsWith('translate') && kind !== 'translatez' && args.slice(0, 2).some(isOut)) ||
      (kind === 'matrix' && args.slice(4).some(isOut)) ||
      (kind === 'matrix3d' && args.slice(12, 14).some(isOut)),
  )
}

export function isIndentedAway(value: string): boolean {
  const first = splitAtSpaces(value)[0]
  const length = numberOf(first)
  if (length !== undefined) return length <= -400 || length >= MIN_FAR
  const share = numberOf(first, { whole: 100 })
  return share !== undefined && Math.abs(share) >= 100
}

/** True for a shape that leaves nothing to see. */
export function isEmptyShape(value: string): boolean {
  const [shape] = functionsIn(
    value.replace(/\s+(?:border-box|padding-box|content-box|margin-box|fill-box|view-box)$/, ''),
  )
  if (shape === undefined) return false
  const inner = shape.args.join(', ')
  const words = splitAtSpaces(inner.split(/\bat\b|\bround\b/)[0] ?? '').map((word) => word.replace(/,$/, ''))
  switch (shape.name) {
    case 'inset': {
      const [top = '0', right = top, bottom = top, left = right] = words
      const share = (one: string): number => numberOf(one, { whole: 100 }) ?? 0
      // A distance of hundreds of pixels is more than a line has.
      return (
        share(top) + share(bottom) >= (isShare(top, bottom) ? 100 : 5000) ||
        share(left) + share(right) >= (isShare(left, right) ? 100 : 5000)
      )
    }
    case 'circle':
    case 'ellipse':
      return words.some((one) => isNothing(one) || numberOf(one, { whole: 100 }) === 0)
    case 'polygon': {
      const points = shape.args.filter((one) => /\d/.test(one)).map((one) => one.replaceAll(/\b0(?:px|%)/g, '0'))
      return points.length > 0 && new Set(points).size <= 2
    }
    case 'path':
      // A shape has three points.
      return (inner.match(/[\d.]+/g)?.length ?? 0) < 6 && !/[hv]/.test(inner)
    case 'rect': {
      const [top = NaN, right = NaN, bottom = NaN, left = NaN] = words.map(
        (one) => numberOf(one, { whole: 100 }) ?? NaN,
      )
      return bottom - top <= 1 || right - left <= 1
    }
    case 'xywh':
      return words.slice(2, 4).some((one) => isNothing(one) || numberOf(one, { whole: 100 }) === 0)
    default:
      return false
  }
}

const isShare = (one: string, other: string): boolean => one.includes('%') || other.includes('%')

/** True for a mask through which nothing is seen. */
export function isEmptyMask(name: string, value: string): boolean {
  if (name === 'mask-size')
    return splitAtCommas(value).every((one) => splitAtSpaces(one).some((length) => isNothing(length)))
  const layers = splitAtCommas(value).map((one) => one.trim())
  return layers.every((layer) => {
    const [gradient] = functionsIn(splitAtSpaces(layer)[0] ?? '')
    return gradient !== undefined && gradientColours(gradient)?.every(([, , , alpha]) => alpha <= MAX_OPACITY) === true
  })
}

/** Returns the colours of a gradient; undefined for another function, or with one that is not known. */
export function gradientColours({ name, args }: StyleFunction): readonly Rgba[] | undefined {
  if (!name.endsWith('gradient')) return undefined
  const found: Rgba[] = []
  for (const [nth, arg] of args.entries()) {
    const colour = splitAtSpaces(arg)
      .map((word) => colourOf(word))
      .find((one) => one !== undefined)
    if (colour !== undefined) found.push(colour)
    else if (nth > 0 && !/^[\d.]+(?:%|px)$/.test(arg)) return undefined
  }
  return found.length === 0 ? undefined : found
}
