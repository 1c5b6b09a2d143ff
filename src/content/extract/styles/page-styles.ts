import { type Element, isElement, parentElement, walk } from '../../html/tree.js'
import type { Cascade } from './cascade.js'
import { numberOf } from './css-math.js'
import { gradientColours, opacityOf } from './hiding-values.js'
import { CustomProperties, isComputed } from './custom-properties.js'
import { partOf, RESET } from './read-declarations.js'
import { functionsIn, splitAtSpaces } from './split-value.js'
import { blend, type Rgba, colourOf, contrastOf, MAX_CONTRAST, WHITE } from './style-colours.js'
import type { RegisteredProperty } from './style-sheet.js'
import { EVERYWHERE, isValidValue } from './valid-value.js'

/** Names of classes and ids, one set for each sheet. */
type NameSets = readonly ReadonlySet<string>[]

/** Facts of the sheets of a page. Colours and names are looked for when a text may have the colour of its background. */
interface KnownOfSheets {
  /** Finds the colours of backgrounds on the page. White is that of a page without one. */
  readonly findGrounds: () => readonly Rgba[]
  /**
   * Finds the classes and ids that the sheets have rules for, if the page has other sheets, which are not read: these may give an
   * element with any other class a background. Undefined for a page without.
   */
  readonly findNames: (() => NameSets) | undefined
  /** Finds the names in the selectors of what is painted before or behind the content of an element: its background is not known. */
  readonly findPainted: () => NameSets
  /** Custom properties with values of their own. */
  readonly registered: readonly RegisteredProperty[]
  /** Set for a page without a document type. */
  readonly isQuirky: boolean
}

/** The computed styles of a page's elements, as far as its own style sheets say. */
export class PageStyles {
  readonly cascade: Cascade
  readonly #sheets: KnownOfSheets
  readonly #custom: CustomProperties
  #grounds: readonly Rgba[] | undefined
  #ownNames: NameSets | undefined
  #painted: NameSets | undefined
  readonly #sizes = new Map<Element, number>()
  readonly #inherited = new Map<string, Map<Element, string | undefined>>()
  readonly #writtenColours = new Map<string, Rgba | undefined>()
  /** True where a background is alike, by colours of text: equal ones are one object. */
  readonly #alike = new Map<Rgba, boolean>()
  readonly #textColours = new Map<Element, Rgba | undefined>()
  readonly #backgrounds = new Map<Element, Rgba | undefined>()

  constructor(cascade: Cascade, sheets: KnownOfSheets) {
    this.cascade = cascade
    this.#sheets = sheets
    this.#custom = new CustomProperties(cascade, sheets.registered)
  }

  /**
   * Returns the value of a property that the element itself has; undefined without one. That of a property which elements inherit may
   * be `inherit`.
   */
  valueOf(element: Element, name: string): string | undefined {
    const style = this.cascade.partOfStyle(element, name)
    const own = style.get(name)
    // Animations override all declarations but important ones.
    const end = own?.isImportant === true ? undefined : this.cascade.endOf(style)?.get(name)
    const value = (end ?? own)?.value
    if (value === undefined || value === RESET) return undefined
    const computed = isComputed(value) ? this.#compute(element, name, value) : value
    return EVERYWHERE.test(computed) ? this.#valueOfWord(element, name, computed) : computed
  }

  /** Computes a value. One that comes to nothing that the property has is that of none. */
  #compute(element: Element, name: string, value: string): string {
    const found = this.#custom.substitute(element, value)
    const part = found === undefined ? undefined : partOf(found, name)
    return part !== undefined && isValidValue(name, part, this.#sheets.isQuirky) ? part : 'unset'
  }

  /** Returns the value that a word such as `inherit` stands for. */
  #valueOfWord(element: Element, name: string, word: string): string | undefined {
    const first = FIRST_VALUES.get(name)
    if (word === 'initial') return first
    if (first !== undefined) return 'inherit'
    const around = word === 'inherit' ? parentElement(element) : undefined
    return around && this.valueOf(around, name)
  }

  /** Lists what an element declares itself of some properties, and what its animation leaves it with. */
  declarationsOf(element: Element, names: ReadonlyMap<string, unknown>): [name: string, value: string][] {
    const style = this.cascade.styleOf(element)
    const found: [name: string, value: string][] = []
    for (const name of style.keys()) if (names.has(name)) found.push([name, this.valueOf(element, name) ?? ''])
    for (const name of this.cascade.endOf(style)?.keys() ?? [])
      if (!style.has(name)) found.push([name, this.valueOf(element, name) ?? ''])
    return found
  }

  /** Returns how much of an element is seen, with the elements around it, from 0 to 1. */
  opacityOf(element: Element): number {
    let opacity = 1
    for (let at: Element | undefined = element, step = 0; at !== undefined && step < MAX_UP; step += 1) {
      opacity *= opacityOf(this.valueOf(at, 'opacity'))
      at = parentElement(at)
    }
    return opacity
  }

  /** Tests for elements of some names inside of another. */
  hasWithin(element: Element, names: ReadonlySet<string>): boolean {
    let left = MAX_BESIDE
    let isFound = false
    walk(element, (node) => {
      left -= 1
      isFound ||= left < 0 || (isElement(node) && names.has(node.name))
      return isFound ? 'stop' : undefined
    })
    return isFound
  }

  /** True for text that is filled with a background: its own, or one around it. */
  isCutOut(element: Element): boolean {
    let at: Element | undefined = element
    for (let step = 0; at !== undefined && step < MAX_OVER; step += 1) {
      const clip = this.valueOf(at, 'background-clip') ?? this.valueOf(at, 'background')
      if (clip !== undefined && /(?:^|\s)text\b/.test(clip)) return this.#isPaintedApart(at)
      at = parentElement(at)
    }
    return false
  }

  /** True for an element whose own background differs from the one around it. */
  #isPaintedApart(element: Element): boolean {
    const shorthand = this.valueOf(element, 'background')
    if (PAINTED.test(this.valueOf(element, 'background-image') ?? shorthand ?? '')) return true
    const own = colourOf(this.valueOf(element, 'background-color') ?? colourIn(shorthand))
    const around = parentElement(element)
    const ground = around && this.groundOf(around)
    return own !== undefined && own[3] > 0 && (ground === undefined || contrastOf(own, ground) >= MAX_CONTRAST)
  }

  /** True for an element in one that shows nothing beyond its height. */
  isCutOff(element: Element): boolean {
    let at = parentElement(element)
    for (let step = 0; at !== undefined && step < MAX_OVER; step += 1) {
      const overflow = this.valueOf(at, 'overflow-y') ?? this.valueOf(at, 'overflow') ?? ''
      if (/(?:hidden|clip)$/.test(overflow)) return true
      at = parentElement(at)
    }
    return false
  }

  /** Returns the value of an inherited property; undefined without one. */
  inherited(element: Element, name: string): string | undefined {
    const known = this.#inherited.get(name) ?? new Map<Element, string | undefined>()
    this.#inherited.set(name, known)
    let value: string | undefined
    const passed: Element[] = []
    for (let at: Element | undefined = element; at !== undefined && passed.length < MAX_UP; at = parentElement(at)) {
      if (known.has(at)) {
        value = known.get(at)
        break
      }
      passed.push(at)
      const own = this.valueOf(at, name)
      if (own === undefined || own === 'inherit') continue
      value = own
      break
    }
    for (const one of passed) known.set(one, value)
    return value
  }

  /** Returns the size of an element's text. Pixels. */
  fontSizeOf(element: Element, depth = 0): number {
    const known = this.#sizes.get(element)
    if (known !== undefined) return known
    const around = parentElement(element)
    const outer = around === undefined || depth > MAX_UP ? 16 : this.fontSizeOf(around, depth + 1)
    const value = this.valueOf(element, 'font-size')
    const step = value === 'smaller' ? 1 / 1.2 : value === 'larger' ? 1.2 : 1
    const size = numberOf(value, { em: outer, whole: outer }) ?? SIZES.get(value ?? '') ?? outer * step
    this.#sizes.set(element, size)
    return size
  }

  /** Returns the colour of an element's text; undefined if it is not known. */
  textColourOf(element: Element): Rgba | undefined {
    const fill = this.inherited(element, '-webkit-text-fill-color')
    return fill === undefined || fill === 'currentcolor' ? this.#colourOf(element, 0) : this.#readColour(fill)
  }

  #colourOf(element: Element, depth: number): Rgba | undefined {
    const known = this.#textColours.get(element)
    if (known !== undefined || this.#textColours.has(element)) return known
    const found = this.#findColour(element, depth)
    this.#textColours.set(element, found)
    return found
  }

  #findColour(element: Element, depth: number): Rgba | undefined {
    const value = this.valueOf(element, 'color')
    if (value !== undefined && value !== 'inherit' && value !== 'currentcolor') return this.#readColour(value)
    // Links have a colour of their own, and so have buttons.
    if (value === undefined && OWN_COLOUR.has(element.name)) return undefined
    const around = parentElement(element)
    return around === undefined || depth > MAX_UP ? BLACK : this.#colourOf(around, depth + 1)
  }

  #readColour(value: string): Rgba | undefined {
    if (!this.#writtenColours.has(value)) this.#writtenColours.set(value, colourOf(value))
    return this.#writtenColours.get(value)
  }

  /** Tests whether a background of the page has hardly any contrast to a colour. */
  hasGroundLike(colour: Rgba, contrast: number): boolean {
    const known = this.#alike.get(colour)
    if (known !== undefined) return known
    this.#grounds ??= this.#sheets.findGrounds()
    const isAlike = this.#grounds.some((ground) => contrastOf(colour, ground) < contrast)
    this.#alike.set(colour, isAlike)
    return isAlike
  }

  /** Returns the colour behind the text of an element; undefined if it is a picture, or not known. */
  groundOf(element: Element, depth = 0): Rgba | undefined {
    if (this.#backgrounds.has(element)) return this.#backgrounds.get(element)
    const found = this.#findGround(element, depth)
    this.#backgrounds.set(element, found)
    return found
  }

  #findGround(element: Element, depth: number): Rgba | undefined {
    if (depth > MAX_UP || WITH_OWN_GROUND.has(element.name)) return undefined
    const shorthand = this.valueOf(element, 'background')
    const image = this.valueOf(element, 'background-image') ?? shorthand
    const isPainted = image !== undefined && PAINTED.test(image)
    const shade = isPainted ? evenShade(image) : undefined
    if (isPainted && shade === undefined) return undefined
    const written = this.valueOf(element, 'background-color') ?? colourIn(shorthand)
    const own =
      shade ??
      (written === 'currentcolor'
        ? this.textColourOf(element)
        : written === undefined || written === 'none'
          ? undefined
          : colourOf(written))
    if (own === undefined && written !== undefined && !UNCOLOURED.test(written)) return undefined
    if (own !== undefined && own[3] > 0.95) return own
    const around = parentElement(element)
    if (around === undefined) return own === undefined ? WHITE : blend(own, WHITE)
    if (this.#mayHaveOtherGround(element)) return undefined
    const ground = this.groundOf(around, depth + 1)
    return own === undefined || ground === undefined ? ground : blend(own, ground)
  }

  #mayHaveOtherGround(element: Element): boolean {
    const { findNames } = this.#sheets
    if (findNames === undefined) return false
    const sets = (this.#ownNames ??= findNames())
    return this.#namesOf(element).some((name) => sets.every((set) => !set.has(name)))
  }

  /** True for an element that may lie over something else than the background around it, such as a picture. */
  isOverPicture(element: Element): boolean {
    let at = element
    for (let step = 0; step < MAX_OVER; step += 1) {
      if (this.#hasOtherLayer(at)) return true
      const around = parentElement(at)
      if (
        around === undefined ||
        colourOf(this.valueOf(at, 'background-color') ?? colourIn(this.valueOf(at, 'background')))?.[3] === 1
      )
        return false
      if (this.#isOverOther(at, around)) return true
      at = around
    }
    return false
  }

  #namesOf(element: Element): readonly string[] {
    const { id } = element.attribs
    const classes = this.cascade.classesOf(element)
    return id === undefined ? classes : [id, ...classes]
  }

  /** True for an element with a layer of its own over its background, or with one that a script fills. */
  #hasOtherLayer(element: Element): boolean {
    const sets = (this.#painted ??= this.#sheets.findPainted())
    if (this.#namesOf(element).some((name) => sets.some((set) => set.has(name)))) return true
    for (const name in element.attribs) if (LATER_GROUND.test(name)) return true
    return false
  }

  #isOverOther(element: Element, around: Element): boolean {
    const position = this.valueOf(element, 'position')
    if (position === 'absolute' || position === 'fixed') return true
    const mayMove =
      (position !== undefined && position !== 'static') ||
      this.valueOf(element, 'transform') !== undefined ||
      this.valueOf(element, 'z-index') !== undefined ||
      /(?:^|\s)-\d/.test(this.valueOf(element, 'margin') ?? this.valueOf(element, 'margin-top') ?? '') ||
      /grid/.test(this.valueOf(around, 'display') ?? '')
    let isOver = false
    let left = MAX_BESIDE
    walk(around, (node) => {
      if (node === element) return false
      left -= 1
      if (left < 0) return 'stop'
      if (!isElement(node)) return false
      const isPlaced = /absolute|fixed/.test(this.valueOf(node, 'position') ?? '')
      if (!(isPlaced || (mayMove && PICTURES.has(node.name)))) return true
      isOver =
        PICTURES.has(node.name) ||
        /url\(|gradient/.test(this.valueOf(node, 'background') ?? this.valueOf(node, 'background-image') ?? '')
      return isOver ? 'stop' : true
    })
    return isOver
  }
}

/** Maximum elements around an element whose styles are read. */
const MAX_UP = 300

/** Properties that elements inherit, with the values of a page that says nothing. */
const FIRST_VALUES: ReadonlyMap<string, string> = new Map([
  ['visibility', 'visible'],
  ['color', 'black'],
  ['-webkit-text-fill-color', 'currentcolor'],
  ['-webkit-text-stroke-width', '0'],
  ['-webkit-text-stroke-color', 'currentcolor'],
  ['text-shadow', 'none'],
  ['text-indent', '0'],
  ['font-size', 'medium'],
  ['line-height', 'normal'],
  ['fill', 'black'],
  ['fill-opacity', '1'],
  ['stroke', 'none'],
])

/** Matches attributes that scripts take a background from. */
const LATER_GROUND = /^data-(?:[a-z]+-)*(?:bg|background|bgset|parallax|image|img|src|jarallax|vide|setbg)(?:-|$)/

/** Maximum elements around a text that may lie over a picture. */
const MAX_OVER = 8
/** Maximum nodes beside an element among which pictures are looked for. */
const MAX_BESIDE = 60

const BLACK: Rgba = [0, 0, 0, 1]

const OWN_COLOUR: ReadonlySet<string> = new Set(['a', 'button', 'input', 'select', 'textarea', 'mark', 'option'])
const WITH_OWN_GROUND: ReadonlySet<string> = new Set([
  'button',
  'mark',
  'input',
  'select',
  'textarea',
  'svg',
  'math',
  'fieldset',
])
const PICTURES: ReadonlySet<string> = new Set([
  'img',
  'picture',
  'video',
  'canvas',
  'svg',
  'iframe',
  'object',
  'amp-img',
])

const SIZES: ReadonlyMap<string, number> = new Map([
  ['xx-small', 9],
  ['x-small', 10],
  ['small', 13],
  ['medium', 16],
  ['large', 18],
  ['x-large', 24],
  ['xx-large', 32],
  ['xxx-large', 48],
])

/** Returns the colour of gradients that have no other, which are a background of one colour. */
function evenShade(image: string): Rgba | undefined {
  if (/url\(|image|var\(/.test(image)) return undefined
  const gradients = splitAtSpaces(image).flatMap((word) => functionsIn(word.replace(/,$/, '')))
  const colours = gradients.map(gradientColours)
  const all = colours.flatMap((some) => some ?? [])
  const [first] = all
  return first !== undefined &&
    colours.every((some) => some !== undefined) &&
    all.every((one) => one[3] > 0.95 && contrastOf(one, first) < MAX_EVEN)
    ? first
    : undefined
}

/** Maximum contrast of the colours of an even gradient. */
const MAX_EVEN = 1.1

/** Words of a background that give it no colour. */
/** A background that is no colour. */
const PAINTED = /url\(|gradient|image|var\(/
const UNCOLOURED = /^(?:initial|inherit|unset|revert|transparent|none)$/

/** Returns the colour in a `background`, which stands first or last; `none` if there is none. */
export function colourIn(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const words = splitAtSpaces(value)
  return (
    words.find((word) => word === 'currentcolor' || colourOf(word) !== undefined) ??
    (words.length === 1 && !UNCOLOURED.test(value) && value !== '0' ? value : 'none')
  )
}
