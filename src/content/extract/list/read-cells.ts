import { collapse, type Element, isBlockElement, isElement, isText, textOf, walk } from '../../html/tree.js'
import { divideDigits, readInlineDigits } from '../../html/inline-digits.js'
import { readPriceInParts } from '../../html/price-in-parts.js'
import { areTwoAmounts, BEGINNING_OF_WORD, END_OF_WORD, isSetApart } from '../../html/set-apart.js'
import { readStruckPrice } from '../../html/struck-price.js'
import { imageSource } from '../../html/image-source.js'
import type { Entry } from './find-groups.js'
import { entryKind, NO_PLACE, type CellPlace, placeWithin } from './kind.js'
import { leadsElsewhere } from './measure-page.js'

/** A value in an entry, before it is typed. */
export interface Cell {
  /** Kinds of the elements around the value inside its entry, which is the same in other entries of the list. */
  readonly place: string
  readonly kind: 'text' | 'url' | 'image' | 'time' | 'data'
  /** The value as written; collapsed text. */
  readonly value: string
  /** The element that the value is read from. */
  readonly element: Element
  /** Name that the page gives the value: a property, a label or an attribute. */
  readonly named?: { readonly name: string; readonly source: 'microdata' | 'header' | 'label' | 'attribute' }
  /** True for a price that is struck out. */
  readonly isStruck?: boolean
  /** Text for screen readers right before the value, which the page does not show: `Regular price`. */
  readonly said?: string
  /** Role of a price among several of its entry. */
  readonly role?: 'price' | 'oldPrice' | 'unitPrice'
}

/** Maximum cells and nodes of an entry, characters of a cell, and texts that are collected at a time. */
const MAX_CELLS = 400
const MAX_NODES = 5_000
const MAX_TEXT = 10_000
const MAX_OPEN_TEXTS = 6
/** Maximum length of a label, and of a text for screen readers. Characters. */
const MAX_LABEL = 40
const MAX_SAID = 80

/** Elements of formatting, which are a part of the text around them. */
const FORMATTING: ReadonlySet<string> = new Set(
  'b strong i em u s small font mark sup sub wbr bdi bdo code kbd q cite abbr dfn var'.split(' '),
)
/** Elements without content: controls and drawings. */
const CONTROLS: ReadonlySet<string> = new Set('button select textarea input svg math canvas iframe object'.split(' '))
/** Class names of text for screen readers, which says again what the page shows. */
const SCREEN_READER =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-?reader(?:-text|-only)?|a11y-hidden|u-hidden-visually)(?=\s|$)/iu

/** A sign of a number, which the page shows as a drawing or a colour. Without it, the number would be another. */
const SIGN = /^\s*(?:minus|negative|moins|menos|meno|[-−–])\s*$/iu

/** True for a text for screen readers that the page shows as well. */
export const isSaidAgain = (element: Element): boolean =>
  SCREEN_READER.test(element.attribs['class'] ?? '') && !SIGN.test(textOf(element))

/** Attributes of an entry that tell about the thing it describes. */
const TELLING_ATTRIBUTE =
  /^data-(?:[a-z]+-){0,2}(?:id|sku|asin|price|name|title|brand|category|rating|currency|author|company|location|code)$/u

interface OpenText {
  readonly element: Element
  readonly place: string
  text: string
  said?: string
}

/** Reads the values of an entry: texts, links, images, dates, and what is marked up as a property. */
export function readCells(entry: Entry, isInvisible: (element: Element) => boolean): Cell[] {
  const reader = new CellReader(isInvisible)
  for (const root of entry) reader.read(root, entry.length > 1 ? entryKind(root) : '')
  return reader.cells
}

class CellReader {
  readonly cells: Cell[] = []
  readonly #isInvisible: (element: Element) => boolean
  /** Places of the open elements. */
  readonly #places: CellPlace[] = []
  readonly #texts: OpenText[] = []
  #nodes = 0
  #label: string | undefined
  #said: string | undefined
  #terms: { readonly list: Element['parent']; readonly isReversed: boolean } = { list: null, isReversed: false }
  /** Elements with a class that begin or end between the last text and the next one. */
  readonly #borders: Element[] = []

  constructor(isInvisible: (element: Element) => boolean) {
    this.#isInvisible = isInvisible
  }

  read(root: Element, kind: string): void {
    this.#places.length = 0
    this.#enter(root, kind)
    walk(
      root,
      (node) => {
        this.#nodes += 1
        if (this.#nodes > MAX_NODES || this.cells.length > MAX_CELLS) return 'stop'
        if (isText(node)) this.#addText(node.data)
        if (!isElement(node)) return false
        if (this.#isSkipped(node)) return false
        this.#enter(node, FORMATTING.has(node.name) ? '' : entryKind(node))
        return !this.#readStruck(node) && !this.#readPrice(node)
      },
      (element) => this.#leave(element),
    )
    while (this.#texts.length > 0) this.#closeText()
    this.#said = undefined
    this.#open.length = 0
  }

  readonly #open: Element[] = []

  /** Tests for a list in which descriptions come before their terms. */
  #isReversed(list: Element['parent']): boolean {
    if (list !== this.#terms.list) {
      const first = list?.children.slice(0, MAX_AROUND_TERMS).find(isTerm)
      const last = list?.children.slice(-MAX_AROUND_TERMS).findLast(isTerm)
      this.#terms = { list, isReversed: first?.name === 'dd' && last?.name === 'dt' }
    }
    return this.#terms.isReversed
  }

  #isSkipped(element: Element): boolean {
    if (CONTROLS.has(element.name)) return true
    if (isProperty(element) && (element.name === 'meta' || element.name === 'link')) {
      this.#addProperty(element)
      return true
    }
    if (this.#isInvisible(element)) return true
    if (!isSaidAgain(element)) return false
    this.#said = collapse(textOf(element)).slice(0, MAX_SAID)
    return true
  }

  /** Reads a price that is struck out as a value of its own, and not as a part of the text around it. */
  #readStruck(element: Element): boolean {
    const value = readStruckPrice(element, (part) => this.#isInvisible(part) || isSaidAgain(part))
    if (value === undefined) return false
    this.#said = undefined
    this.#addText(' ')
    this.#add({ place: `${this.#placeOf(element)}[struck]`, kind: 'text', value, element, isStruck: true })
    return true
  }

  /** Reads a price that is in several elements as one value. */
  #readPrice(element: Element): boolean {
    const [depth, around] = [this.#texts.length, this.#texts.at(-1)?.element]
    const isOpen = around === element
    if (FORMATTING.has(element.name) || depth >= MAX_OPEN_TEXTS || !isValue(element, isOpen ? depth - 1 : depth))
      return false
    const value = readPriceInParts(element, (part) => this.#isInvisible(part) || isSaidAgain(part))
    if (value === undefined) return false
    if (!isOpen) this.#texts.push({ element, place: this.#placeOf(element), text: '' })
    this.#addText(value)
    return true
  }

  #enter(element: Element, kind: string): void {
    this.#open.push(element)
    this.#places.push(placeWithin(this.#places.at(-1) ?? NO_PLACE, kind))
    if (element.name === 'dd' && this.#isReversed(element.parent)) {
      const next = nextElement(element)
      this.#label = next?.name === 'dt' ? labelOf(next) : undefined
    }
    const place = this.#placeOf(element)
    this.#noteBorder(element)
    if (isBlockElement(element) || element.name === 'br') this.#addText(' ')
    const digits = this.#texts.length > 0 ? readInlineDigits(element) : undefined
    if (digits !== undefined) for (const open of this.#texts) open.text = divideDigits(open.text, digits)
    this.#addAttributes(element, place)
    const isOwn = kind !== '' || this.#open.length === 1
    const holds = hasOwnText(element) || (element.name === 'a' && this.#texts.length > 0)
    if (isOwn && holds && this.#texts.length < MAX_OPEN_TEXTS && isValue(element, this.#texts.length))
      this.#texts.push({ element, place, text: '' })
  }

  #leave(element: Element): void {
    if (this.#open.at(-1) !== element) return
    this.#open.pop()
    this.#places.pop()
    if (this.#texts.at(-1)?.element === element) this.#closeText()
    this.#noteBorder(element)
    if (isBlockElement(element)) this.#addText(' ')
    if (element.name === 'dt') this.#label = labelOf(element)
    if (element.name === 'dd' || element.name === 'dl') this.#label = undefined
  }

  #closeText(): void {
    const closed = this.#texts.pop()
    const value = collapse(closed?.text ?? '')
    // Inside of an entry, a term is the label of its description.
    if (
      closed === undefined ||
      value === '' ||
      isDated(closed.element) ||
      (closed.element.name === 'dt' && closed.place.includes('>'))
    )
      return
    const { place, element, said } = closed
    this.#add({ place, kind: 'text', value, element, said, ...this.#nameOf(element) })
  }

  #addText(text: string): void {
    const hasBorder = this.#borders.length > 0
    const isSaid = this.#said !== undefined && text.trim() !== ''
    const isBorder = hasBorder && BEGINNING_OF_WORD.test(text)
    for (const open of this.#texts) {
      if (open.text.length >= MAX_TEXT) continue
      if (isSaid && open.text.trim() === '') open.said = this.#said
      const isApart = isBorder && END_OF_WORD.test(open.text.slice(-3)) && this.#borders.some(isSetApart)
      if (isApart || areTwoAmounts(open.text, text)) open.text += ' '
      open.text += text.slice(0, MAX_TEXT)
    }
    if (hasBorder && text !== '') this.#borders.length = 0
    if (isSaid) this.#said = undefined
  }

  #noteBorder(element: Element): void {
    const { name, attribs } = element
    if (attribs['class'] === undefined || this.#borders.length >= MAX_OPEN_TEXTS) return
    if (!FORMATTING.has(name)) this.#borders.push(element)
  }

  #placeOf({ name }: Element): string {
    const { path } = this.#places.at(-1) ?? NO_PLACE
    return name === 'dd' && this.#label !== undefined ? `${path}[${this.#label}]` : path
  }

  #nameOf(element: Element): { named?: Cell['named'] } {
    const property = isProperty(element) ? propertyOf(element) : undefined
    const isOfLink = element.name === 'a' && ADDRESS_PROPERTY.test(property ?? '')
    if (property !== undefined && !isOfLink) return { named: { name: property, source: 'microdata' } }
    if (element.name === 'dd' && this.#label !== undefined) return { named: { name: this.#label, source: 'label' } }
    const label = element.attribs['data-label'] ?? element.attribs['data-th'] ?? element.attribs['data-title']
    return label === undefined || label.trim() === '' || label.length > MAX_LABEL
      ? {}
      : { named: { name: collapse(label), source: 'label' } }
  }

  #addAttributes(element: Element, place: string): void {
    const { name, attribs } = element
    if (name === 'a' && leadsElsewhere(element)) this.#addAttribute(element, place, ['url', 'href'])
    if (name === 'img') {
      const source = imageSource(element)
      if (source !== undefined && !source.startsWith('data:'))
        this.#add({ place: `${place}@src`, kind: 'image', value: source, element, ...this.#nameOf(element) })
    }
    if (name === 'time' && attribs['datetime'] !== undefined) this.#addAttribute(element, place, ['time', 'datetime'])
    if (attribs['content'] !== undefined && isProperty(element)) this.#addProperty(element)
    if (this.#open.length > 1) return
    for (const attribute of Object.keys(attribs).slice(0, 30)) {
      if (TELLING_ATTRIBUTE.test(attribute)) this.#addData(element, place, attribute)
    }
  }

  #addAttribute(element: Element, place: string, [kind, attribute]: ['url' | 'time', string]): void {
    const value = element.attribs[attribute]?.trim() ?? ''
    const name = isProperty(element) ? propertyOf(element) : undefined
    const isNamed = name !== undefined && (kind === 'time' || ADDRESS_PROPERTY.test(name))
    const named = isNamed ? { named: { name, source: 'microdata' as const } } : {}
    if (value !== '') this.#add({ place: `${place}@${attribute}`, kind, value, element, ...named })
  }

  #addData(element: Element, place: string, attribute: string): void {
    const value = collapse(element.attribs[attribute] ?? '')
    if (value === '' || value.length > 200 || /^[[{]/u.test(value)) return
    const name = attribute.slice('data-'.length).replace(/-(\w)/gu, (_, letter: string) => letter.toUpperCase())
    this.#add({ place: `${place}@${attribute}`, kind: 'data', value, element, named: { name, source: 'attribute' } })
  }

  #addProperty(element: Element): void {
    const value = collapse(element.attribs['content'] ?? element.attribs['href'] ?? '')
    const name = propertyOf(element)
    if (value === '' || name === undefined) return
    this.#add({ place: `@${name}`, kind: 'data', value, element, named: { name, source: 'microdata' } })
  }

  #add(cell: Cell): void {
    if (this.cells.length < MAX_CELLS) this.cells.push(cell)
  }
}

/** Properties of which the value of a link is its address, and not its text. */
const ADDRESS_PROPERTY = /^(?:url|sameAs|image|logo|item|mainEntityOfPage)$/u

/** True for a date that its element states in an attribute. */
const isDated = ({ name, attribs }: Element): boolean => name === 'time' && (attribs['datetime'] ?? '').trim() !== ''

const isProperty = ({ attribs }: Element): boolean => attribs['itemprop'] !== undefined

/** Returns the first name of a property, without a vocabulary: `name` of `https://schema.org/name`. */
const propertyOf = ({ attribs }: Element): string | undefined => {
  const name = /\S+/u.exec((attribs['itemprop'] ?? '').slice(0, 200))?.[0].replace(/^.*[/#:]/u, '')
  return name === '' ? undefined : name
}

const isTerm = (node: Element['children'][number]): node is Element =>
  isElement(node) && (node.name === 'dt' || node.name === 'dd')

/** Maximum nodes before the first term or description of a list, and after the last one. */
const MAX_AROUND_TERMS = 20
/** Siblings that are passed to find the next element. */
const MAX_STEPS = 4

function nextElement(element: Element): Element | undefined {
  let at = element.next
  for (let step = 0; step < MAX_STEPS && at !== null; step += 1, at = at.next) if (isElement(at)) return at
  return undefined
}

const labelOf = (element: Element): string | undefined => {
  const label = collapse(textOf(element)).replace(/\s*:$/u, '')
  return label === '' || label.length > MAX_LABEL ? undefined : label
}

const hasOwnText = ({ children }: Element): boolean => children.some(holdsText)

const holdsText = (node: Element['children'][number]): boolean =>
  isText(node)
    ? node.data.trim() !== ''
    : isElement(node) &&
      FORMATTING.has(node.name) &&
      node.children.some((child) => isText(child) && child.data.trim() !== '')

/** True for an element whose text is a value of its own although it is inside of a longer text. */
const isValue = ({ name, attribs }: Element, depth: number): boolean =>
  depth === 0 || name === 'a' || name === 'time' || attribs['itemprop'] !== undefined || attribs['class'] !== undefined
