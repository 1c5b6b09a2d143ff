import { compact } from '../../../base/collections/compact.js'
import { ownValue } from '../../../base/collections/own-value.js'
import { isCodeFont, kindByName, type ParagraphKind } from '../elements/line-builder.js'
import { type SymbolFont, symbolFontOf } from '../elements/symbol-fonts.js'
import { at, child, childrenNamed, descendants, type XmlElement } from '../package/xml.js'

/** Formatting that a run states itself. */
export interface RunStyle {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strike?: boolean
  readonly raised?: 'sup' | 'sub'
  readonly code?: boolean
  readonly symbols?: SymbolFont
  readonly isHidden?: boolean
  /** Size in half points, and colour as `FFFFFF` or `auto`. */
  readonly size?: number
  readonly colour?: string
  /** Width of its letters, in percent. */
  readonly stretch?: number
  readonly isTransparent?: boolean
  /** True for text on a colour of its own. */
  readonly isShaded?: boolean
  /** That colour, where it is known. */
  readonly ground?: string
}

/** Effects of a style on its paragraphs and runs. */
export interface WordStyle {
  /** Heading level, 1 to 9. */
  readonly headingLevel?: number
  readonly kind?: ParagraphKind
  /** List that its paragraphs are items of. `depth` is the nesting that a built-in style stands for. */
  readonly list?: { readonly id: string; readonly level: number; readonly depth: number }
  /** Nesting level of the list item that its paragraphs continue. */
  readonly continues?: number
  readonly run: RunStyle
  /** True for paragraphs on a colour of their own. */
  readonly isShaded?: boolean
  /** That colour, where it is known. */
  readonly ground?: string
}

const PLAIN: WordStyle = { run: {} }

/** Maximum length of a chain of base styles, which ends circular references. */
const MAX_CHAIN_LENGTH = 20

/** Returns a lookup of styles by id, with inherited properties resolved. */
export function readWordStyles(root: XmlElement | undefined): (id: string | undefined) => WordStyle {
  const elements = new Map(
    childrenNamed(root, 'w:style').map((element) => [element.attributes['w:styleId'] ?? '', element]),
  )
  const known = new Map<string, WordStyle>()
  const find = (id: string, depth: number): WordStyle => {
    const found = known.get(id)
    if (found !== undefined) return found
    const element = elements.get(id)
    const basis = child(element, 'w:basedOn')?.attributes['w:val']
    const base = basis === undefined || depth >= MAX_CHAIN_LENGTH ? PLAIN : find(basis, depth + 1)
    const style = element === undefined ? guessUndefinedStyle(id) : readStyle(element, base)
    known.set(id, style)
    return style
  }
  return (id) => (id === undefined ? PLAIN : find(id, 0))
}

/** Guesses the effects of a style that the file does not define, from its id, which is usually the English name. */
const guessUndefinedStyle = (id: string): WordStyle => ({
  ...PLAIN,
  headingLevel: headingLevelIn(id),
  kind: kindByName(id),
})

function readStyle(element: XmlElement, base: WordStyle): WordStyle {
  const name = child(element, 'w:name')?.attributes['w:val'] ?? ''
  const paragraph = child(element, 'w:pPr')
  const numbering = child(paragraph, 'w:numPr')
  const listId = child(numbering, 'w:numId')?.attributes['w:val']
  const level = Number.parseInt(child(numbering, 'w:ilvl')?.attributes['w:val'] ?? '0', 10) || 0
  const isRunStyle = element.attributes['w:type'] === 'character'
  const run = { ...base.run, ...readRunStyle(child(element, 'w:rPr')) }
  return {
    headingLevel: outlineLevel(paragraph) ?? headingLevelIn(name) ?? base.headingLevel,
    kind: isRunStyle ? undefined : (kindByName(name) ?? (run.code === true ? 'code' : base.kind)),
    list:
      listId === undefined
        ? base.list && { ...base.list, level: level || base.list.level }
        : { id: listId, level, depth: Math.max(level, listDepthIn(name, LIST_STYLE) ?? 0) },
    continues: listDepthIn(name, CONTINUED_STYLE) ?? base.continues,
    isShaded: isShaded(paragraph) || base.isShaded,
    ground: groundOf(paragraph) ?? base.ground,
    run,
  }
}

/** Returns the heading level of a style by its built-in name, which is the same in all languages. */
function headingLevelIn(name: string): number | undefined {
  if (/^title$/i.test(name)) return 1
  const level = /^heading\s?([1-9])$/i.exec(name)?.[1]
  return level === undefined ? undefined : Number(level)
}

/**
 * Matches the built-in list styles. Each of `List Bullet` to `List Bullet 5` has a list of its own with one level, and is
 * deeper only by its indentation.
 */
const LIST_STYLE = /^list (?:bullet|number)(?: ([2-5]))?$/i
const CONTINUED_STYLE = /^list continue(?: ([2-5]))?$/i

/** Returns the nesting level that the name of a list style stands for. */
function listDepthIn(name: string, styles: RegExp): number | undefined {
  const [found, depth = '1'] = styles.exec(name) ?? []
  return found === undefined ? undefined : Number(depth) - 1
}

/** Returns the outline level of paragraph properties, from 1; level 10 is body text. */
export function outlineLevel(properties: XmlElement | undefined): number | undefined {
  const value = child(properties, 'w:outlineLvl')?.attributes['w:val']
  const level = Number.parseInt(value ?? '', 10)
  return level >= 0 && level <= 8 ? level + 1 : undefined
}

const OFF = new Set(['0', 'false', 'off'])

/** Reads a boolean property; undefined if it is absent. */
function toggle(properties: XmlElement, name: string): boolean | undefined {
  const element = child(properties, name)
  return element === undefined ? undefined : !OFF.has(element.attributes['w:val'] ?? '1')
}

/** Detects superscript and subscript that are written as an offset with a smaller font size. */
function shifted(properties: XmlElement): string | undefined {
  const shift = Number(child(properties, 'w:position')?.attributes['w:val'] ?? 0)
  if (child(properties, 'w:sz') === undefined) return undefined
  return shift > 0 ? 'superscript' : shift < 0 ? 'subscript' : undefined
}

/** Reads the properties that a run states; absent ones stay undefined, so that they can be inherited. */
export function readRunStyle(properties: XmlElement | undefined): RunStyle {
  if (properties === undefined) return {}
  const bold = toggle(properties, 'w:b')
  const italic = toggle(properties, 'w:i')
  const strike = toggle(properties, 'w:strike') ?? toggle(properties, 'w:dstrike')
  const isHidden = toggle(properties, 'w:vanish')
  const raised = child(properties, 'w:vertAlign')?.attributes['w:val'] ?? shifted(properties)
  const font = child(properties, 'w:rFonts')?.attributes['w:ascii']
  const size = child(properties, 'w:sz')?.attributes['w:val']
  const colour = child(properties, 'w:color')?.attributes['w:val']
  const highlight = child(properties, 'w:highlight')?.attributes['w:val'] ?? 'none'
  const stretch = Number.parseInt(child(properties, 'w:w')?.attributes['w:val'] ?? '', 10)
  return {
    ...compact({
      bold,
      italic,
      strike,
      isHidden,
      size: size === undefined ? undefined : Number(size),
      colour,
      stretch: stretch > 0 ? stretch : undefined,
      isTransparent: isTransparent(properties) ? true : undefined,
      isShaded: highlight !== 'none' || isShaded(properties) ? true : undefined,
      ground: ownValue(HIGHLIGHTS, highlight) ?? groundOf(properties),
    }),
    ...(raised !== undefined && {
      raised: raised === 'superscript' ? 'sup' : raised === 'subscript' ? 'sub' : undefined,
    }),
    ...(font !== undefined && { code: isCodeFont(font), symbols: symbolFontOf(font) }),
  }
}

/** Formatting that may hide the text of a paragraph by its style. */
export const hidingOf = ({ run }: WordStyle): RunStyle => {
  const { isHidden, size, stretch, isTransparent: isClear, colour, isShaded: isOnColour, ground } = run
  return compact({ isHidden, size, stretch, isTransparent: isClear, colour, isShaded: isOnColour, ground })
}

/** Colours of markers that are darker or brighter than text may be. @see ECMA-376 part 1, section 17.18.40 */
const HIGHLIGHTS: Readonly<Record<string, string>> = {
  black: '000000',
  blue: '0000ff',
  cyan: '00ffff',
  darkBlue: '000080',
  darkCyan: '008080',
  darkGray: '808080',
  darkGreen: '008000',
  darkMagenta: '800080',
  darkRed: '800000',
  darkYellow: '808000',
  green: '00ff00',
  lightGray: 'c0c0c0',
  magenta: 'ff00ff',
  red: 'ff0000',
  white: 'ffffff',
  yellow: 'ffff00',
}

/** Tests for letters that are filled with nothing. */
function isTransparent(properties: XmlElement): boolean {
  const fill = child(properties, 'w14:textFill')
  const alpha = descendants(fill, 'w14:alpha')[0]?.attributes['w14:val']
  return child(fill, 'w14:noFill') !== undefined || Number(alpha ?? 0) >= MIN_CLEAR
}

/** Minimum transparency of letters that nobody sees. Thousandths of a percent. */
const MIN_CLEAR = 95_000

/** Returns the colour of a background that is of one colour; undefined where it is not known. */
export function groundOf(properties: XmlElement | undefined): string | undefined {
  const { 'w:fill': fill, 'w:val': pattern = 'clear' } = child(properties, 'w:shd')?.attributes ?? {}
  return /^(?:clear|nil)$/.test(pattern) && fill !== undefined && /^[\da-f]{6}$/i.test(fill) ? fill : undefined
}

/** True for properties with a background of their own. */
export function isShaded(properties: XmlElement | undefined): boolean {
  const {
    'w:fill': fill = 'auto',
    'w:val': pattern = 'clear',
    'w:themeFill': theme,
  } = child(properties, 'w:shd')?.attributes ?? {}
  return theme !== undefined || !/^(?:auto|f{6})$/i.test(fill) || !/^(?:clear|nil)$/.test(pattern)
}

/** Returns the document's default language. */
export const defaultLanguage = (styles: XmlElement | undefined): string | undefined =>
  at(styles, 'w:docDefaults', 'w:rPrDefault', 'w:rPr', 'w:lang')?.attributes['w:val']
