import { gradientColours } from '../../../content/extract/styles/hiding-values.js'
import { functionsIn, splitAtSpaces } from '../../../content/extract/styles/split-value.js'
import { blend, colourOf, contrastOf, type Rgba, WHITE } from '../../../content/extract/styles/style-colours.js'
import { builtInsOf } from './built-ins-of.js'
import { findAll } from './shadow-tree.js'
import type { Place } from './place.js'

/** Maximum contrast of text that nobody sees, as for style sheets. */
const MAX_CONTRAST = 1.12
/** Maximum elements that are asked for what they paint. */
const MAX_PAINTED = 5_000

/** An element that paints something, and its place. */
interface Painted {
  readonly element: Element
  readonly box: DOMRect
}

/** Knows the colours behind the texts of a page. */
export class Grounds {
  readonly #known = new Map<Place, Rgba | undefined>()
  #painted: Painted[] | undefined

  /** Tests for a text in the colour of its background, or in none. @param box of the text */
  hides(place: Place, box: DOMRect | undefined): boolean {
    const { style } = place
    const isDrawing = place.element.namespaceURI?.endsWith('svg') === true
    if (isDrawing && style.stroke !== 'none') return false
    if (isDrawing && (style.fill === 'none' || Number.parseFloat(style.fillOpacity) < MIN_ALPHA)) return true
    const colour = colourOf(isDrawing ? style.fill : style.webkitTextFillColor)
    if (colour === undefined || style.textShadow !== 'none' || Number.parseFloat(style.webkitTextStrokeWidth) > 0)
      return false
    if (style.mixBlendMode !== 'normal' || (colour[3] < 1 && this.#isFilled(place))) return false
    const ground = this.#groundOf(place)
    if (colour[3] < MIN_ALPHA) return true
    if (ground === undefined || contrastOf(colour[3] < 1 ? blend(colour, ground) : colour, ground) >= MAX_CONTRAST)
      return false
    return box === undefined || !this.#hasOtherBehind(place, box)
  }

  /** True for letters that a background shows through. */
  #isFilled(place: Place): boolean {
    let at: Place | undefined = place
    while (at && !/text/.test(at.style.backgroundClip)) at = at.around
    if (at === undefined || at.style.backgroundImage !== 'none') return at !== undefined
    const own = colourOf(at.style.backgroundColor)
    const ground = at.around === undefined ? WHITE : this.#groundOf(at.around)
    return own !== undefined && own[3] > 0 && (ground === undefined || contrastOf(own, ground) >= MAX_CONTRAST)
  }

  #groundOf(place: Place): Rgba | undefined {
    if (this.#known.has(place)) return this.#known.get(place)
    const found = this.#findGround(place)
    this.#known.set(place, found)
    return found
  }

  #findGround({ element, style, around }: Place): Rgba | undefined {
    if (hasPaintedPart(element)) return undefined
    // A background that is cut out to letters is behind none.
    if (/^text(?:, text)*$/.test(style.backgroundClip)) return around === undefined ? WHITE : this.#groundOf(around)
    if (style.backgroundImage !== 'none') {
      const shade = evenShade(style.backgroundImage)
      return shade
    }
    if (
      builtInsOf(element).localName === 'svg' &&
      builtInsOf(element).querySelector('rect,path,circle,polygon,image,use,ellipse')
    )
      return undefined
    const own = colourOf(style.backgroundColor)
    if (own === undefined) return undefined
    if (own[3] > 0.95) return own
    const ground = around === undefined ? WHITE : this.#groundOf(around)
    return ground === undefined || own[3] === 0 ? ground : blend(own, ground)
  }

  /** True where something else than an element around the text is painted at its place. */
  #hasOtherBehind({ element }: Place, { left, right, top, bottom }: DOMRect): boolean {
    const x = (left + right) / 2
    const y = (top + bottom) / 2
    return this.#listPainted().some(
      ({ element: other, box }) =>
        box.left <= x &&
        box.right >= x &&
        box.top <= y &&
        box.bottom >= y &&
        !other.contains(element) &&
        !element.contains(other),
    )
  }

  #listPainted(): readonly Painted[] {
    if (this.#painted !== undefined) return this.#painted
    this.#painted = []
    for (const element of findAll('*').slice(0, MAX_PAINTED)) {
      const isPicture = /^(?:img|picture|video|canvas|svg|iframe|object|embed)$/.test(builtInsOf(element).localName)
      const style = isPicture ? undefined : getComputedStyle(element)
      const isPainted =
        style === undefined || style.backgroundImage !== 'none' || (colourOf(style.backgroundColor)?.[3] ?? 1) > 0
      if (!isPainted) continue
      const box = builtInsOf(element).getBoundingClientRect()
      if (box.width > 0 && box.height > 0) this.#painted.push({ element, box })
    }
    return this.#painted
  }
}

/** Maximum opacity of a colour that nobody sees on any other. */
const MIN_ALPHA = 0.05

/** True for an element that paints something before or behind its content. */
function hasPaintedPart(element: Element): boolean {
  return ['::before', '::after'].some((part) => {
    const style = getComputedStyle(element, part)
    return (
      style.content !== 'none' &&
      style.content !== 'normal' &&
      (style.backgroundImage !== 'none' || (colourOf(style.backgroundColor)?.[3] ?? 1) > 0)
    )
  })
}

/** Returns the colour of gradients that have no other. */
function evenShade(image: string): Rgba | undefined {
  if (/url\(|image/.test(image)) return undefined
  const colours: (Rgba | undefined)[] = []
  for (const word of splitAtSpaces(image))
    for (const gradient of functionsIn(word.replace(/,$/, '')))
      colours.push(...(gradientColours(gradient) ?? [undefined]))
  const [first] = colours
  const isAlike = (one: Rgba | undefined): boolean =>
    one !== undefined && first !== undefined && one[3] > 0.95 && contrastOf(one, first) < MAX_CONTRAST
  return colours.every(isAlike) ? first : undefined
}
