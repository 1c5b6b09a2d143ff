import { compact } from '../../../base/collections/compact.js'
import { symbolFontOf } from '../elements/symbol-fonts.js'
import type { HidingFormat } from '../elements/why-hidden.js'
import { isCodeFont, isCodeStyle, kindByName, type ParagraphKind, type TextStyle } from '../elements/line-builder.js'
import { boundedNumber } from '../elements/create-element.js'
import { child, elements, type XmlElement } from '../package/xml.js'

/** Formatting of a piece of text. */
export interface OpenTextStyle extends TextStyle, HidingFormat {}

/** Styles of a file, with inherited properties resolved. */
export interface OpenStyles {
  /** Returns the formatting of a text style, with inherited properties. */
  textStyle(name: string | undefined): OpenTextStyle
  paragraphStyle(name: string | undefined): ParagraphStyle
  /**
   * Returns the format of a list level, from 0. A missing level has the format of the next lower one.
   *
   * @see OpenDocument 1.3 part 3, section 16.30
   */
  listLevel(style: string | undefined, level: number): ListLevel
  /** Returns an attribute of the drawing page properties of a slide style. */
  pageProperty(name: string | undefined, attribute: string): string | undefined
}

interface ParagraphStyle {
  readonly headingLevel?: number
  readonly kind: ParagraphKind | undefined
  /** True for the style of header cells. */
  readonly isTableHeading: boolean
  /** Formatting of the paragraph style itself; hidden text is inherited. */
  readonly text: OpenTextStyle
}

interface ListLevel {
  readonly isOrdered: boolean
  /** True if the mark is a space: the paragraph continues the item before. */
  readonly isBlank: boolean
  readonly start: number
}

/** Maximum length of a chain of base styles, which ends circular references. */
const MAX_CHAIN_LENGTH = 20

/** @param roots `office:document-content` and `office:document-styles`; of two styles of one name the first counts */
export function readOpenStyles(roots: readonly (XmlElement | undefined)[]): OpenStyles {
  const styles = new Map<string, XmlElement>()
  const automatic = new Set<XmlElement>()
  const lists = new Map<string, ReadonlyMap<number, ListLevel>>()
  for (const root of roots)
    for (const part of ['office:automatic-styles', 'office:styles'])
      for (const style of elements(child(root, part) ?? NOTHING)) {
        const name = style.attributes['style:name'] ?? ''
        const key = `${style.attributes['style:family'] ?? ''} ${name}`
        if (style.name === 'text:list-style' && !lists.has(name)) lists.set(name, readLevels(style))
        if (style.name !== 'style:style' || styles.has(key)) continue
        styles.set(key, style)
        if (part === 'office:automatic-styles') automatic.add(style)
      }

  /** Returns a style and its base styles, the style first. */
  const chain = (family: string, name: string | undefined): XmlElement[] => {
    const found: XmlElement[] = []
    for (let at = name; at !== undefined && found.length < MAX_CHAIN_LENGTH;) {
      const style = styles.get(`${family} ${at}`)
      if (style === undefined) break
      found.push(style)
      at = style.attributes['style:parent-style-name']
    }
    return found
  }
  const texts = new Map<string, OpenTextStyle>()
  const paragraphs = new Map<string, ParagraphStyle>()

  return {
    textStyle(name = '') {
      const known = texts.get(name)
      if (known !== undefined) return known
      const all = chain('text', name)
      const style = Object.assign({}, ...all.toReversed().map(readTextProperties)) as OpenTextStyle
      const made = all.some((one) => isCodeStyle(nameOf(one))) || isCodeStyle(name) ? { ...style, code: true } : style
      texts.set(name, made)
      return made
    },
    paragraphStyle(name = '') {
      const known = paragraphs.get(name)
      if (known !== undefined) return known
      const made = readParagraphStyle(chain('paragraph', name), name, automatic)
      paragraphs.set(name, made)
      return made
    },
    listLevel(style = '', level) {
      const levels = lists.get(style)
      for (let at = level; at >= 0; at -= 1) {
        const found = levels?.get(at)
        if (found !== undefined) return found
      }
      return UNMARKED
    },
    pageProperty: (name, attribute) =>
      chain('drawing-page', name)
        .map((style) => child(style, 'style:drawing-page-properties')?.attributes[attribute])
        .find((value) => value !== undefined),
  }
}

/** Format of a list without a style. */
const UNMARKED: ListLevel = { isOrdered: false, isBlank: false, start: 1 }

const NOTHING: XmlElement = { name: '', attributes: {}, children: [] }

/** Returns the display name of a style. */
const nameOf = ({ attributes }: XmlElement): string =>
  attributes['style:display-name'] ?? decodeName(attributes['style:name'] ?? '')

const decodeName = (name: string): string =>
  name.replace(/_([0-9a-f]{1,4})_/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))

function readParagraphStyle(
  chain: readonly XmlElement[],
  name: string,
  automatic: ReadonlySet<XmlElement>,
): ParagraphStyle {
  const names = [decodeName(name), ...chain.map(nameOf)]
  const outline = chain.map(({ attributes }) => attributes['style:default-outline-level']).find((level) => level)
  const isTitle = names.some((one) => /^title$/i.test(one))
  const named = names.map((one) => /^heading ([1-9])$/i.exec(one)?.[1]).find((level) => level !== undefined)
  const level = outline ?? named
  const [own] = chain
  const said = chain.toReversed().map(readTextProperties)
  const { isHidden, size, stretch, colour, isShaded, ground } = Object.assign({}, ...said) as OpenTextStyle
  const grounds = chain.map((style) => fillOf(child(style, 'style:paragraph-properties')))
  const isColoured = chain.some((style) => isFilled(child(style, 'style:paragraph-properties')))
  return {
    headingLevel: level === undefined ? (isTitle ? 1 : undefined) : Number.parseInt(level, 10) || undefined,
    kind:
      names.map(kindByName).find((kind) => kind !== undefined) ??
      (chain.some((style) => readTextProperties(style).code === true) ? 'code' : undefined),
    isTableHeading: names.some((one) => /^table heading$/i.test(one)),
    text: {
      ...(own !== undefined && automatic.has(own) && readTextProperties(own)),
      ...compact({ isHidden, size, stretch, colour, isShaded: isShaded === true || isColoured ? true : undefined }),
      ...compact({ ground: ground ?? grounds.find((fill) => fill !== undefined) }),
    },
  }
}

/**
 * Reads the properties that a style states itself; absent ones stay undefined.
 *
 * @see OpenDocument 1.3 part 3, section 16.29.29
 */
function readTextProperties(style: XmlElement): OpenTextStyle {
  const properties = child(style, 'style:text-properties')?.attributes
  if (properties === undefined) return {}
  const weight = properties['fo:font-weight']
  const slant = properties['fo:font-style']
  const line = properties['style:text-line-through-style'] ?? properties['style:text-line-through-type']
  const position = properties['style:text-position']
  const font = properties['style:font-name'] ?? properties['fo:font-family']
  const display = properties['text:display']
  return {
    ...compact({
      bold: weight === undefined ? undefined : weight === 'bold' || Number(weight) >= 600,
      italic: slant === undefined ? undefined : slant !== 'normal',
      strike: line === undefined ? undefined : line !== 'none',
      isHidden: display === undefined ? undefined : display === 'none',
      isShaded: isFilled(child(style, 'style:text-properties')) ? true : undefined,
      ground: fillOf(child(style, 'style:text-properties')),
    }),
    // One that is raised by nothing says so to the styles that it inherits from.
    ...(position !== undefined && { raised: raisedBy(position) }),
    ...hidingFormat(properties),
    ...(font !== undefined && { code: isCodeFont(font), symbols: symbolFontOf(font) }),
  }
}

/** Reads the size and the colour of text. A size in percent is that of a heading or a note. */
function hidingFormat(properties: Readonly<Record<string, string>>): HidingFormat {
  const [, points] = /^([\d.]{1,8})pt$/.exec(properties['fo:font-size'] ?? '') ?? []
  const [, colour] = /^#([\da-f]{6})$/i.exec(properties['fo:color'] ?? '') ?? []
  const isByWindow = properties['style:use-window-font-color'] === 'true'
  const [, stretch] = /^([\d.]{1,8})%$/.exec(properties['style:text-scale'] ?? '') ?? []
  return compact({
    stretch: stretch === undefined ? undefined : Number(stretch),
    size: points === undefined ? undefined : Number(points),
    colour: isByWindow ? '000000' : colour,
  })
}

/** True for properties with a background other than that of paper. */
export const isFilled = (properties: XmlElement | undefined): boolean =>
  !/^(?:transparent|#f{6})?$/i.test(properties?.attributes['fo:background-color'] ?? '')

/** Returns the colour of a background that is not that of paper. */
const fillOf = (properties: XmlElement | undefined): string | undefined =>
  isFilled(properties) ? /^#[\da-f]{6}$/i.exec(properties?.attributes['fo:background-color'] ?? '')?.[0] : undefined

/** Parses a text position: `super 58%`, or an offset such as `-33% 58%`. */
function raisedBy(position: string): 'sup' | 'sub' | undefined {
  if (/^(?:super|[1-9]|0\.)/.test(position)) return 'sup'
  return /^(?:sub|-\d)/.test(position) ? 'sub' : undefined
}

function readLevels(style: XmlElement): ReadonlyMap<number, ListLevel> {
  return new Map(
    elements(style).map(({ name, attributes }) => {
      const level = Number.parseInt(attributes['text:level'] ?? '1', 10) - 1
      // A numbering without a format is not displayed, so the list counts as unordered.
      const isOrdered = name === 'text:list-level-style-number' && (attributes['style:num-format'] ?? '') !== ''
      const isBlank = /^\s+$/.test(attributes['text:bullet-char'] ?? '')
      return [level, { isOrdered, isBlank, start: readStart(attributes['text:start-value'], 1) }]
    }),
  )
}

export const readStart = (value: string | undefined, otherwise: number): number =>
  boundedNumber(value, { least: 0, most: 1_000_000, otherwise })
