import type { DroppedLines } from '../../../base/text/dropped-lines.js'
import { whyHidden } from '../elements/why-hidden.js'
import type { Element } from '../../html/tree.js'
import { linkOf, type OpenFields, readFormValue } from './docx-fields.js'
import { readRunStyle, type RunStyle, type WordStyle } from './docx-styles.js'
import { diagramTexts } from './diagram.js'
import { LineBuilder } from '../elements/line-builder.js'
import { innerAddress, createElement } from '../elements/create-element.js'
import type { NoteRegister } from '../elements/notes.js'
import { readWordFormula } from './omml.js'
import type { Relationship } from '../package/open-package.js'
import { symbolAt, symbolFontOf } from '../elements/symbol-fonts.js'
import { child, descendants, elements, type XmlElement, type XmlNode, xmlText } from '../package/xml.js'

/** Context that the runs of one text are read in: the body, a note or a text box. */
export interface RunContext {
  readonly styleOf: (id: string | undefined) => WordStyle
  readonly relations: ReadonlyMap<string, Relationship>
  readonly notes: NoteRegister
  readonly fields: OpenFields
  /** Parses a part of the package. */
  readonly readPart: (part: string | undefined) => XmlElement | undefined
  readonly leftOut: LeftOut
  /** True where the background is that of paper: outside of tables, boxes and coloured paragraphs. */
  readonly isOnPaper: boolean
  /** Colour of the paragraph, where it has one that is known. */
  readonly ground?: string | undefined
  /** Formatting that the style of the paragraph gives its letters. */
  readonly letters?: RunStyle
  /** Collects text that no reader sees; absent if it is kept. */
  readonly hidden: DroppedLines | undefined
}

/** Counts what is embedded in a text and not read. A warning reports it. */
export interface LeftOut {
  charts: number
  diagrams: number
  /** Other documents that are embedded in the text. */
  documents: number
}

/** Parts that are anchored in a paragraph but displayed beside it. */
interface ParagraphParts {
  /** Contents of its text boxes. */
  readonly boxes: readonly XmlElement[]
}

/** Appends the runs of a paragraph to `block`. Bold type is ignored in headings, which are bold anyway. */
export const readRuns = (
  nodes: readonly XmlNode[],
  block: Element,
  context: RunContext,
  isHeading: boolean,
): ParagraphParts => new RunReader(block, context, isHeading).read(nodes)

class RunReader {
  readonly #block: Element
  readonly #context: RunContext
  readonly #isHeading: boolean
  readonly #line: LineBuilder
  readonly #boxes: XmlElement[] = []

  constructor(block: Element, context: RunContext, isHeading: boolean) {
    this.#block = block
    this.#context = context
    this.#isHeading = isHeading
    this.#line = new LineBuilder(block)
  }

  read(nodes: readonly XmlNode[]): ParagraphParts {
    this.#visit(nodes, undefined)
    return { boxes: this.#boxes }
  }

  #visit(inside: readonly XmlNode[], href: string | undefined): void {
    for (const node of inside) if (typeof node !== 'string') this.#readPart(node, href)
  }

  #readPart(element: XmlElement, href: string | undefined): void {
    const { name, attributes, children } = element
    switch (name) {
      case 'w:r':
        return this.#readRun(element, href)
      case 'w:hyperlink':
        return this.#visit(children, this.#hyperlinkOf(element) ?? href)
      case 'w:fldSimple':
        return this.#visit(children, linkOf(attributes['w:instr'] ?? '') ?? href)
      case 'w:bookmarkStart':
        return this.#placeBookmark(attributes['w:name'])
      case 'm:oMath':
        return this.#line.node(readWordFormula(element))
      case 'm:oMathPara':
        for (const formula of descendants(element, 'm:oMath')) this.#line.node(readWordFormula(formula, true))
        return
      case 'w:pPr':
        return
      default:
        return this.#visit(children, href)
    }
  }

  #hyperlinkOf({ attributes }: XmlElement): string | undefined {
    const place = attributes['w:anchor']
    const target = this.#context.relations.get(attributes['r:id'] ?? '')?.target ?? ''
    const href = `${target}${place === undefined ? '' : `#${place}`}`
    return href === '' ? undefined : href
  }

  #placeBookmark(name: string | undefined): void {
    if (name === undefined || name === '_GoBack') return
    if (this.#block.attribs['id'] === undefined) this.#block.attribs['id'] = name
    else this.#line.node(createElement('a', { id: name }))
  }

  #readRun(run: XmlElement, outer: string | undefined): void {
    const properties = child(run, 'w:rPr')
    const style: RunStyle = {
      ...this.#context.letters,
      ...this.#context.styleOf(child(properties, 'w:rStyle')?.attributes['w:val']).run,
      ...readRunStyle(properties),
    }
    const reason = whyHiddenRun(style, this.#context)
    if (reason !== undefined) this.#addHidden(run, reason)
    if (style.isHidden === true || reason !== undefined) return
    const { bold, ...rest } = style
    for (const part of elements(run)) {
      const href = outer ?? this.#context.fields.href
      const shown = { ...rest, bold: bold === true && !this.#isHeading, href }
      const text = textIn(part)
      if (text !== undefined) {
        if (this.#context.fields.isInCode) continue
        this.#line.text(text, shown)
        this.#context.fields.addResult(text)
      } else this.#readRunPart(part, href)
    }
  }

  #addHidden(run: XmlElement, reason: string): void {
    const text = (run.name === 'w:r' ? elements(run) : descendants(run, 'w:t'))
      .map((part) => textIn(part) ?? '')
      .join('')
    if (text.trim() !== '') this.#context.hidden?.add({ selector: '', text, reason, isHidden: true })
  }

  #readRunPart(part: XmlElement, href: string | undefined): void {
    const { name, attributes } = part
    switch (name) {
      case 'w:br': {
        if ((attributes['w:type'] ?? 'textWrapping') === 'textWrapping') this.#line.node(createElement('br'))
        else this.#line.text(' ')
        return
      }
      case 'w:cr':
        return this.#line.node(createElement('br'))
      case 'w:fldChar': {
        const type = attributes['w:fldCharType']
        if (type === 'begin') this.#context.fields.begin(readFormValue(child(part, 'w:ffData')))
        else if (type === 'separate') this.#context.fields.separate()
        else if (type === 'end') this.#line.text(this.#context.fields.end())
        return
      }
      case 'w:instrText':
        return this.#context.fields.addCode(xmlText(part))
      case 'w:footnoteReference':
      case 'w:endnoteReference':
        return this.#line.node(this.#context.notes.mark(`${name.slice(2, -9)} ${attributes['w:id'] ?? ''}`))
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
        return this.#readDrawing(part, href)
      case 'w:ruby':
        return this.#readRuby(part, href)
      default:
    }
  }

  #readRuby(ruby: XmlElement, href: string | undefined): void {
    const word = createElement('ruby', {}, [xmlText(child(ruby, 'w:rubyBase'))])
    const reading = createElement('rt', {}, [xmlText(child(ruby, 'w:rt'))])
    this.#line.node(createElement('ruby', {}, [...word.children, reading]), href === undefined ? {} : { href })
  }

  #readDrawing(drawing: XmlElement, href: string | undefined): void {
    const frame = outsideBoxes(drawing, 'wp:docPr')[0]?.attributes
    const shape = outsideBoxes(drawing, 'v:shape')[0]?.attributes['style'] ?? ''
    if (this.#context.hidden !== undefined && isHiddenDrawing(frame, shape)) {
      for (const box of descendants(drawing, 'w:txbxContent')) this.#addHidden(box, 'is formatted as hidden')
      return
    }
    this.#boxes.push(...descendants(drawing, 'w:txbxContent'), ...this.#readDiagrams(drawing))
    this.#context.leftOut.charts += outsideBoxes(drawing, 'c:chart').length
    const link = this.#context.relations.get(outsideBoxes(drawing, 'a:hlinkClick')[0]?.attributes['r:id'] ?? '')
    const style = { href: link?.isExternal === true ? link.target : href }
    for (const picture of outsideBoxes(drawing, 'pic:pic')) {
      const blip = descendants(picture, 'a:blip')[0]?.attributes
      const own = descendants(picture, 'pic:cNvPr')[0]?.attributes
      const alt = frame?.['descr'] || own?.['descr'] || frame?.['title'] || own?.['title'] || ''
      this.#addPicture(blip?.['r:embed'] ?? blip?.['r:link'], alt, style)
    }
    for (const picture of outsideBoxes(drawing, 'v:imagedata')) {
      const alt = outsideBoxes(drawing, 'v:shape')[0]?.attributes['alt']
      this.#addPicture(picture.attributes['r:id'], alt ?? '', style)
    }
  }

  /** Returns the texts of diagrams in the form of text boxes. */
  #readDiagrams(drawing: XmlElement): XmlElement[] {
    return outsideBoxes(drawing, 'dgm:relIds').flatMap(({ attributes }) => {
      const data = this.#context.readPart(this.#context.relations.get(attributes['r:dm'] ?? '')?.target)
      const texts = diagramTexts(data)
      if (texts.length === 0) this.#context.leftOut.diagrams += 1
      return texts.length === 0 ? [] : [element('w:txbxContent', texts.map(listItem))]
    })
  }

  #addPicture(id: string | undefined, alt: string, style: { readonly href: string | undefined }): void {
    const relation = this.#context.relations.get(id ?? '')
    if (relation === undefined) return
    const src = relation.isExternal ? relation.target : innerAddress(relation.target)
    this.#line.node(createElement('img', { src, alt }), style)
  }
}

/** Returns the reason why nobody sees a text, as a predicate. The size of a style is in half points. */
function whyHiddenRun(style: RunStyle, { isOnPaper, ground, hidden }: RunContext): string | undefined {
  if (hidden === undefined) return undefined
  const own = style.isShaded === true ? style.ground : (style.ground ?? ground)
  return whyHidden({ ...style, size: style.size && style.size / 2, ground: own }, isOnPaper)
}

/** Tests for a drawing that is not shown. */
const isHiddenDrawing = (frame: Readonly<Record<string, string>> | undefined, shape: string): boolean =>
  /^(?:1|true|on)$/.test(frame?.['hidden'] ?? '') || /visibility\s*:\s*hidden/i.test(shape)

/** Lists the parts of a drawing by name, without those in its text boxes, which are read with the boxes. */
const outsideBoxes = (drawing: XmlElement, name: string): XmlElement[] =>
  descendants(drawing, name, 'w:txbxContent').filter((part) => part.name === name)

const element = (name: string, children: readonly XmlNode[], attributes: Record<string, string> = {}): XmlElement => ({
  name,
  attributes,
  children: [...children],
})

const listItem = (text: string): XmlElement => element('w:p', [element('w:r', [element('w:t', [text])])])

/** Returns the text of a run's part; undefined for parts that are not text. */
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

/** Returns the Unicode character of a symbol; empty for symbols that only the font defines. */
function symbol(attributes: Readonly<Record<string, string>>): string {
  const code = Number.parseInt(attributes['w:char'] ?? '', 16)
  if (!(code >= 0x20)) return ''
  const font = symbolFontOf(attributes['w:font'])
  if (font !== undefined) return symbolAt(code, font)
  return code < 0xd800 ? String.fromCodePoint(code) : ''
}
