import { isCodeFont, kindByName, type ParagraphKind } from '../elements/line-builder.js'
import { type SymbolFont, symbolFontOf } from '../elements/symbol-fonts.js'
import { at, child, childrenNamed, type XmlElement } from '../package/xml.js'

/** How a run is set, as far as it says so itself. */
export interface RunStyle {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strike?: boolean
  readonly raised?: 'sup' | 'sub' | undefined
  readonly code?: boolean
  readonly symbols?: SymbolFont | undefined
  readonly isHidden?: boolean
}

/** What a style means for the paragraphs and runs that have it. */
export interface WordStyle {
  /** 1 to 9. */
  readonly headingLevel?: number | undefined
  readonly kind?: ParagraphKind | undefined
  /** The list that its paragraphs are items of. */
  readonly list?: { readonly id: string; readonly level: number } | undefined
  readonly run: RunStyle
}

const PLAIN: WordStyle = { run: {} }

/** Styles above a style; a circle ends here. */
const DEEPEST_CHAIN = 20

/** Finds a style by its id, with what it takes from those that it is based on. */
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
    const above = basis === undefined || depth >= DEEPEST_CHAIN ? PLAIN : find(basis, depth + 1)
    const style = element === undefined ? nameless(id) : readStyle(element, above)
    known.set(id, style)
    return style
  }
  return (id) => (id === undefined ? PLAIN : find(id, 0))
}

/** A style that the file does not describe: its id is often enough the name. */
const nameless = (id: string): WordStyle => ({
  ...PLAIN,
  headingLevel: headingLevelIn(id),
  kind: kindByName(id),
})

function readStyle(element: XmlElement, above: WordStyle): WordStyle {
  const name = child(element, 'w:name')?.attributes['w:val'] ?? ''
  const paragraph = child(element, 'w:pPr')
  const numbering = child(paragraph, 'w:numPr')
  const listId = child(numbering, 'w:numId')?.attributes['w:val']
  const level = Number.parseInt(child(numbering, 'w:ilvl')?.attributes['w:val'] ?? '0', 10) || 0
  const isRunStyle = element.attributes['w:type'] === 'character'
  const run = { ...above.run, ...readRunStyle(child(element, 'w:rPr')) }
  return {
    headingLevel: outlineLevel(paragraph) ?? headingLevelIn(name) ?? above.headingLevel,
    kind: isRunStyle ? undefined : (kindByName(name) ?? (run.code === true ? 'code' : above.kind)),
    list:
      listId === undefined ? above.list && { ...above.list, level: level || above.list.level } : { id: listId, level },
    run,
  }
}

/** The level of a heading by the name of its style, which is the same in every language. */
function headingLevelIn(name: string): number | undefined {
  if (/^title$/i.test(name)) return 1
  const level = /^heading\s?([1-9])$/i.exec(name)?.[1]
  return level === undefined ? undefined : Number(level)
}

/** The outline level that a paragraph's properties give, from 1; text of the body has the tenth. */
export function outlineLevel(properties: XmlElement | undefined): number | undefined {
  const value = child(properties, 'w:outlineLvl')?.attributes['w:val']
  const level = Number.parseInt(value ?? '', 10)
  return level >= 0 && level <= 8 ? level + 1 : undefined
}

const OFF = new Set(['0', 'false', 'off'])

/** A property that is on or off; undefined where nothing is said. */
function toggle(properties: XmlElement, name: string): boolean | undefined {
  const element = child(properties, name)
  return element === undefined ? undefined : !OFF.has(element.attributes['w:val'] ?? '1')
}

/** Some programs raise and lower letters by hand: so far up or down, in a smaller size. */
function shifted(properties: XmlElement): string | undefined {
  const shift = Number(child(properties, 'w:position')?.attributes['w:val'] ?? 0)
  if (child(properties, 'w:sz') === undefined) return undefined
  return shift > 0 ? 'superscript' : shift < 0 ? 'subscript' : undefined
}

/** What the properties of a run say, and nothing that they do not. */
export function readRunStyle(properties: XmlElement | undefined): RunStyle {
  if (properties === undefined) return {}
  const bold = toggle(properties, 'w:b')
  const italic = toggle(properties, 'w:i')
  const strike = toggle(properties, 'w:strike') ?? toggle(properties, 'w:dstrike')
  const isHidden = toggle(properties, 'w:vanish')
  const raised = child(properties, 'w:vertAlign')?.attributes['w:val'] ?? shifted(properties)
  const font = child(properties, 'w:rFonts')?.attributes['w:ascii']
  return {
    ...(bold !== undefined && { bold }),
    ...(italic !== undefined && { italic }),
    ...(strike !== undefined && { strike }),
    ...(isHidden !== undefined && { isHidden }),
    ...(raised !== undefined && {
      raised: raised === 'superscript' ? 'sup' : raised === 'subscript' ? 'sub' : undefined,
    }),
    ...(font !== undefined && { code: isCodeFont(font), symbols: symbolFontOf(font) }),
  }
}

/** The language that most of the text is in. */
export const defaultLanguage = (styles: XmlElement | undefined): string | undefined =>
  at(styles, 'w:docDefaults', 'w:rPrDefault', 'w:rPr', 'w:lang')?.attributes['w:val']
