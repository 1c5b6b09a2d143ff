import type { DroppedLines } from '../../../base/text/dropped-lines.js'
import { areAlike, whyHidden } from '../elements/why-hidden.js'
import { type Element, hasText } from '../../html/tree.js'
import { BlockBuilder, type ListPlace, soleCode } from '../elements/block-builder.js'
import { isCodeFont, LineBuilder, type TextStyle } from '../elements/line-builder.js'
import { boundedNumber, createElement, takeChildren } from '../elements/create-element.js'
import { readWordFormula } from '../docx/omml.js'
import type { Relationship } from '../package/open-package.js'
import { decodeSymbols, symbolFontOf } from '../elements/symbol-fonts.js'
import { at, child, childrenNamed, descendants, elements, type XmlElement, xmlText } from '../package/xml.js'

/** Context that the text of a slide is read in. */
interface SlideTextContext {
  readonly relations: ReadonlyMap<string, Relationship>
  /** `a:lstStyle` and its fallbacks, nearest first: the first that defines a level applies. */
  readonly listStyles: readonly (XmlElement | undefined)[]
  /** Gets text that nobody can read. @default it stays */
  readonly hidden?: DroppedLines
  /** Colour of the shape around the text, six hexadecimal digits. @default not known */
  readonly ground?: string
}

/**
 * Reads the paragraphs of a text body, as list items if they have bullets or numbers.
 *
 * @see ECMA-376 part 1, section 21.1.2
 */
export function readSlideText(body: XmlElement, into: Element, context: SlideTextContext): void {
  const blocks = new BlockBuilder(into)
  const styles = [child(body, 'a:lstStyle'), ...context.listStyles]
  const lines = childrenNamed(body, 'a:p').map((paragraph) => {
    const block = createElement('p')
    readSlideLine(paragraph, block, context)
    return { paragraph, block, isCode: soleCode(block) !== undefined }
  })
  for (const [index, { paragraph, block, isCode }] of lines.entries()) {
    const properties = child(paragraph, 'a:pPr')
    const level = boundedNumber(properties?.attributes['lvl'], { least: 0, most: 8, otherwise: 0 })
    if (!hasText(block)) continue
    // Consecutive lines of code are a code block, even if the slide's layout gives them bullets.
    const isListing = isCode && (lines[index - 1]?.isCode === true || lines[index + 1]?.isCode === true)
    const place = isListing ? undefined : listPlace(properties, level, styles)
    if (place !== undefined) blocks.addItem(place, takeChildren(block))
    // An indented paragraph without a bullet belongs to the item before it, and does not restart the numbers.
    else if (level > 0 && !isCode) blocks.continueItem(level - 1, block)
    else blocks.addParagraph(block)
  }
}

const BULLETS = new Set(['a:buNone', 'a:buChar', 'a:buAutoNum', 'a:buBlip'])

function listPlace(
  own: XmlElement | undefined,
  level: number,
  styles: readonly (XmlElement | undefined)[],
): ListPlace | undefined {
  const said = [own, ...styles.map((style) => child(style, `a:lvl${level + 1}pPr`))]
  const bullet = said.flatMap((properties) => elementsOf(properties)).find(({ name }) => BULLETS.has(name))
  if (bullet === undefined || bullet.name === 'a:buNone') return undefined
  if (bullet.name !== 'a:buAutoNum') return { level, isOrdered: false }
  const start = bullet.attributes['startAt']
  const list = `${bullet.attributes['type'] ?? ''} from ${start ?? '1'}`
  return { level, isOrdered: true, list, start: start === undefined ? undefined : startAt(start) }
}

const elementsOf = (parent: XmlElement | undefined): XmlElement[] => (parent === undefined ? [] : elements(parent))

/** Every paragraph of a list states the start of its numbering; only that of the first item applies. */
const startAt = (start: string): number => boundedNumber(start, { least: 0, most: 32_767, otherwise: 1 })

/** Appends the runs of a paragraph. */
function readSlideLine(paragraph: XmlElement, into: Element, context: SlideTextContext): void {
  const { relations, hidden } = context
  const line = new LineBuilder(into)
  for (const run of elements(paragraph)) {
    const properties = child(run, 'a:rPr')
    if (run.name === 'a:br') line.node(createElement('br'))
    else if (run.name === 'a:r' || run.name === 'a:fld') {
      const reason = hidden && whyHiddenOn(properties, context)
      if (reason !== undefined) hidden?.add({ selector: '', text: textOf(run), reason, isHidden: true })
      else line.text(withSymbols(textOf(run), properties), styleOf(properties, relations))
    } else if (run.name !== 'a:pPr' && run.name !== 'a:endParaRPr')
      for (const formula of descendants(run, 'm:oMath'))
        line.node(readWordFormula(formula, descendants(run, 'm:oMathPara').length > 0))
  }
}

/** Returns the reason why nobody sees a run. The size is in hundredths of a point; the background of a slide is not known. */
function whyHiddenOn(properties: XmlElement | undefined, { ground }: SlideTextContext): string | undefined {
  const { sz } = properties?.attributes ?? {}
  const size = sz === undefined ? undefined : boundedNumber(sz, { least: 0, most: 400_000, otherwise: 1800 }) / 100
  const reason = whyHidden(size === undefined ? {} : { size }, false)
  const fill = child(properties, 'a:solidFill')
  if (reason !== undefined) return reason
  // Letters without a filling may have an edge.
  if (child(properties, 'a:noFill') !== undefined && child(properties, 'a:ln') === undefined) return 'is transparent'
  if (fill === undefined) return undefined
  if (alphaOf(fill) === 0) return 'is transparent'
  const colour = child(fill, 'a:srgbClr')?.attributes['val']
  const marker = at(properties, 'a:highlight', 'a:srgbClr')?.attributes['val']
  return areAlike(colour, marker ?? ground) ? 'has the colour of its background' : undefined
}

/** Returns the opacity of a fill, in thousandths of a percent; undefined where none is stated. */
function alphaOf(fill: XmlElement): number | undefined {
  const [alpha] = descendants(fill, 'a:alpha')
  return alpha === undefined
    ? undefined
    : boundedNumber(alpha.attributes['val'], { least: 0, most: 100_000, otherwise: 100_000 })
}

const textOf = (run: XmlElement): string => xmlText(child(run, 'a:t')).replaceAll('\u000b', '\n')

/**
 * Decodes the characters of a symbol font. PowerPoint states the font in each run that is typed after a symbol; only characters for
 * private use are written in it.
 *
 * @see ECMA-376 part 1, section 21.1.2.3.10
 */
function withSymbols(text: string, properties: XmlElement | undefined): string {
  const font = symbolFontOf(child(properties, 'a:sym')?.attributes['typeface'])
  return font === undefined ? text : text.replace(/[\uf021-\uf0ff]+/g, (signs) => decodeSymbols(signs, font))
}

function styleOf(properties: XmlElement | undefined, relations: ReadonlyMap<string, Relationship>): TextStyle {
  if (properties === undefined) return {}
  const { b, i, strike, baseline = '0' } = properties.attributes
  const link = relations.get(child(properties, 'a:hlinkClick')?.attributes['r:id'] ?? '')
  const font = child(properties, 'a:latin')?.attributes['typeface']
  const shift = Number(baseline.replace('%', ''))
  return {
    bold: isOn(b),
    italic: isOn(i),
    strike: strike === 'sngStrike' || strike === 'dblStrike',
    raised: shift > 0 ? 'sup' : shift < 0 ? 'sub' : undefined,
    code: isCodeFont(font),
    symbols: symbolFontOf(font),
    href: link?.isExternal === true ? link.target : undefined,
  }
}

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true'
