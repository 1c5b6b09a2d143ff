import type { Element } from '../../html/tree.js'
import { linkOf, type OpenFields } from './docx-fields.js'
import { readRunStyle, type RunStyle, type WordStyle } from './docx-styles.js'
import { diagramTexts } from './diagram.js'
import { LineBuilder } from '../elements/line-builder.js'
import { innerAddress, make } from '../elements/make.js'
import type { NoteBook } from '../elements/notes.js'
import { readWordFormula } from './omml.js'
import type { Relationship } from '../package/open-package.js'
import { symbolAt, symbolFontOf } from '../elements/symbol-fonts.js'
import { child, descendants, elements, type XmlElement, type XmlNode, xmlText } from '../package/xml.js'

/** What the runs of a story need to know. */
export interface RunContext {
  readonly styleOf: (id: string | undefined) => WordStyle
  readonly relations: ReadonlyMap<string, Relationship>
  readonly notes: NoteBook
  readonly fields: OpenFields
  /** A part of the file as a tree. */
  readonly readPart: (part: string | undefined) => XmlElement | undefined
  readonly leftOut: LeftOut
}

/** Counts what is drawn in a file and cannot be told in words. */
export interface LeftOut {
  charts: number
  diagrams: number
}

/** What is in a paragraph beside its line. */
export interface ParagraphParts {
  /** Contents of text boxes. */
  readonly boxes: readonly XmlElement[]
}

/** Puts the runs of a paragraph into `block`. In a heading bold letters say nothing. */
export function readRuns(
  nodes: readonly XmlNode[],
  block: Element,
  context: RunContext,
  isHeading: boolean,
): ParagraphParts {
  const line = new LineBuilder(block)
  const boxes: XmlElement[] = []
  visit(nodes, undefined)
  return { boxes }

  function visit(inside: readonly XmlNode[], href: string | undefined): void {
    for (const node of inside) if (typeof node !== 'string') readPart(node, href)
  }

  function readPart(element: XmlElement, href: string | undefined): void {
    const { name, attributes, children } = element
    switch (name) {
      case 'w:r':
        return readRun(element, href)
      case 'w:hyperlink':
        return visit(children, hyperlinkOf(element) ?? href)
      case 'w:fldSimple':
        return visit(children, linkOf(attributes['w:instr'] ?? '') ?? href)
      case 'w:bookmarkStart':
        return placeBookmark(attributes['w:name'])
      case 'm:oMath':
        return line.node(readWordFormula(element))
      case 'm:oMathPara':
        for (const formula of descendants(element, 'm:oMath')) line.node(readWordFormula(formula, true))
        return
      case 'w:pPr':
        return
      default:
        return visit(children, href)
    }
  }

  function hyperlinkOf({ attributes }: XmlElement): string | undefined {
    const place = attributes['w:anchor']
    const target = context.relations.get(attributes['r:id'] ?? '')?.target ?? ''
    const href = `${target}${place === undefined ? '' : `#${place}`}`
    return href === '' ? undefined : href
  }

  function placeBookmark(name: string | undefined): void {
    if (name === undefined || name === '_GoBack') return
    if (block.attribs['id'] === undefined) block.attribs['id'] = name
    else line.node(make('a', { id: name }))
  }

  function readRun(run: XmlElement, outer: string | undefined): void {
    const properties = child(run, 'w:rPr')
    const style: RunStyle = {
      ...context.styleOf(child(properties, 'w:rStyle')?.attributes['w:val']).run,
      ...readRunStyle(properties),
    }
    if (style.isHidden === true) return
    const { bold, ...rest } = style
    for (const part of elements(run)) {
      const href = outer ?? context.fields.href
      const shown = { ...rest, bold: bold === true && !isHeading, href }
      const text = textIn(part)
      if (text !== undefined) {
        if (!context.fields.isInCode) line.text(text, shown)
      } else readRunPart(part, href)
    }
  }

  function readRunPart(part: XmlElement, href: string | undefined): void {
    const { name, attributes } = part
    switch (name) {
      case 'w:br': {
        if ((attributes['w:type'] ?? 'textWrapping') === 'textWrapping') line.node(make('br'))
        else line.text(' ')
        return
      }
      case 'w:cr':
        return line.node(make('br'))
      case 'w:fldChar': {
        const type = attributes['w:fldCharType']
        if (type === 'begin') context.fields.begin()
        else if (type === 'separate') context.fields.separate()
        else if (type === 'end') line.text(context.fields.end())
        return
      }
      case 'w:instrText':
        return context.fields.addCode(xmlText(part))
      case 'w:footnoteReference':
      case 'w:endnoteReference':
        return line.node(context.notes.mark(`${name.slice(2, -9)} ${attributes['w:id'] ?? ''}`))
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
        return readDrawing(part, href)
      case 'w:ruby':
        return readRuby(part, href)
      default:
    }
  }

  function readRuby(ruby: XmlElement, href: string | undefined): void {
    const word = make('ruby', {}, [xmlText(child(ruby, 'w:rubyBase'))])
    const reading = make('rt', {}, [xmlText(child(ruby, 'w:rt'))])
    line.node(make('ruby', {}, [...word.children, reading]), href === undefined ? {} : { href })
  }

  function readDrawing(drawing: XmlElement, href: string | undefined): void {
    boxes.push(...descendants(drawing, 'w:txbxContent'), ...readDiagrams(drawing))
    context.leftOut.charts += descendants(drawing, 'c:chart').length
    const frame = descendants(drawing, 'wp:docPr')[0]?.attributes
    const link = context.relations.get(descendants(drawing, 'a:hlinkClick')[0]?.attributes['r:id'] ?? '')
    const style = { href: link?.isExternal === true ? link.target : href }
    for (const picture of descendants(drawing, 'pic:pic')) {
      const blip = descendants(picture, 'a:blip')[0]?.attributes
      const own = descendants(picture, 'pic:cNvPr')[0]?.attributes
      const alt = frame?.['descr'] || own?.['descr'] || frame?.['title'] || own?.['title'] || ''
      addPicture(blip?.['r:embed'] ?? blip?.['r:link'], alt, style)
    }
    for (const picture of descendants(drawing, 'v:imagedata')) {
      const alt = descendants(drawing, 'v:shape')[0]?.attributes['alt']
      addPicture(picture.attributes['r:id'], alt ?? '', style)
    }
  }

  /** The texts of diagrams, as text boxes. */
  function readDiagrams(drawing: XmlElement): XmlElement[] {
    return descendants(drawing, 'dgm:relIds').flatMap(({ attributes }) => {
      const data = context.readPart(context.relations.get(attributes['r:dm'] ?? '')?.target)
      const texts = diagramTexts(data)
      if (texts.length === 0) context.leftOut.diagrams += 1
      return texts.length === 0 ? [] : [element('w:txbxContent', texts.map(listItem))]
    })
  }

  function addPicture(id: string | undefined, alt: string, style: { readonly href: string | undefined }): void {
    const relation = context.relations.get(id ?? '')
    if (relation === undefined) return
    const src = relation.isExternal ? relation.target : innerAddress(relation.target)
    line.node(make('img', { src, alt }), style)
  }
}

const element = (name: string, children: readonly XmlNode[], attributes: Record<string, string> = {}): XmlElement => ({
  name,
  attributes,
  children: [...children],
})

const listItem = (text: string): XmlElement => element('w:p', [element('w:r', [element('w:t', [text])])])

/** The text of a part of a run; undefined where it is none. */
function textIn(part: XmlElement): string | undefined {
  switch (part.name) {
    case 'w:t':
      return xmlText(part)
    case 'w:tab':
    case 'w:ptab':
      return '\t'
    case 'w:noBreakHyphen':
      return '\u2011'
    case 'w:sym':
      return symbol(part.attributes)
    default:
      return undefined
  }
}

/** A sign by its place in a font; one that only the font knows is left out. */
function symbol(attributes: Readonly<Record<string, string>>): string {
  const code = Number.parseInt(attributes['w:char'] ?? '', 16)
  if (!(code >= 0x20)) return ''
  const font = symbolFontOf(attributes['w:font'])
  if (font !== undefined) return symbolAt(code, font)
  return code < 0xd800 ? String.fromCodePoint(code) : ''
}
