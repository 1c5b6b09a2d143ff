import type { Element } from '../../html/tree.js'
import type { DroppedLines } from '../../../base/text/dropped-lines.js'
import { whyHidden } from '../elements/why-hidden.js'
import { LineBuilder } from '../elements/line-builder.js'
import { boundedNumber, innerAddress, createElement } from '../elements/create-element.js'
import type { NoteRegister } from '../elements/notes.js'
import type { OpenStyles, OpenTextStyle } from './odf-styles.js'
import { child, descendants, type XmlElement, type XmlNode, xmlText } from '../package/xml.js'

/** Context that the lines of a file are read in. */
export interface LineContext {
  readonly styles: OpenStyles
  readonly notes: NoteRegister
  /** Notes by the key of their reference mark. */
  readonly noteBodies: Map<string, XmlElement>
  /** Returns the content of an embedded object by its address. */
  readonly objectAt: (href: string | undefined) => XmlElement | undefined
  /** Gets text that no reader of the file sees. @default it stays, but for what is formatted as hidden */
  readonly hidden?: DroppedLines
  /** True where the background is that of paper. @default false */
  readonly isOnPaper?: boolean
}

/**
 * Appends the text of a paragraph to `block`.
 *
 * @returns text boxes and tables that are anchored in the paragraph
 */
export const readOpenLine = (
  paragraph: XmlElement,
  block: Element,
  context: LineContext,
  base: OpenTextStyle,
): XmlElement[] => new LineReader(block, context).read(paragraph, base)

class LineReader {
  readonly #block: Element
  readonly #context: LineContext
  readonly #line: LineBuilder
  readonly #boxes: XmlElement[] = []

  constructor(block: Element, context: LineContext) {
    this.#block = block
    this.#context = context
    this.#line = new LineBuilder(block)
  }

  read({ children }: XmlElement, base: OpenTextStyle): XmlElement[] {
    this.#visit(children, base)
    return this.#boxes
  }

  #visit(nodes: readonly XmlNode[], style: OpenTextStyle): void {
    for (const node of nodes) {
      // In hidden text, a piece with a style of its own may be shown.
      if (this.#leavesOut(node, style)) continue
      // White space in text is collapsed. Spaces that must be kept are written as elements (`text:s`).
      if (typeof node === 'string') this.#line.text(node.replace(/[ \t\r\n]+/g, ' '), style)
      else this.#readPart(node, style)
    }
  }

  #leavesOut(node: XmlNode, style: OpenTextStyle): boolean {
    if (typeof node !== 'string') return style.isHidden === true && node.name !== 'text:span'
    const { hidden, isOnPaper = false } = this.#context
    const reason = style.isHidden === true || hidden ? whyHidden(style, isOnPaper) : undefined
    if (reason !== undefined && node.trim() !== '') hidden?.add({ selector: '', text: node, reason, isHidden: true })
    return reason !== undefined
  }

  #readPart(element: XmlElement, style: OpenTextStyle): void {
    const { name, attributes, children } = element
    if (attributes['draw:display'] === 'none') return
    switch (name) {
      case 'text:span': {
        const own = this.#context.styles.textStyle(attributes['text:style-name'])
        const joined = { ...style, ...own }
        return this.#visit(children, style.href === undefined ? joined : { ...joined, href: style.href })
      }
      case 'text:a':
      case 'draw:a':
        return this.#visit(children, { ...style, href: readAddress(attributes['xlink:href']) ?? style.href })
      case 'text:s': {
        const count = boundedNumber(attributes['text:c'], { least: 1, most: 200, otherwise: 1 })
        return this.#line.text(' '.repeat(count), style)
      }
      case 'text:tab':
        return this.#line.text('\t', style)
      case 'text:line-break':
        return this.#line.node(createElement('br'), style)
      case 'text:note':
        return this.#readNote(element)
      case 'text:bookmark':
      case 'text:bookmark-start':
        return this.#placeBookmark(attributes['text:name'])
      case 'text:bookmark-ref':
      case 'text:reference-ref':
        return this.#readReference(element, style)
      case 'text:reference-mark':
      case 'text:reference-mark-start':
        return this.#placeBookmark(attributes['text:name'])
      case 'text:ruby':
        return this.#line.node(
          createElement('ruby', {}, [
            xmlText(child(element, 'text:ruby-base')),
            createElement('rt', {}, [xmlText(child(element, 'text:ruby-text'))]),
          ]),
        )
      case 'draw:frame':
        return this.#readFrame(element, style)
      case 'text:hidden-text':
        if (attributes['text:is-hidden'] !== 'true') this.#visit(children, style)
        return
      case 'svg:title':
      case 'svg:desc':
        return
      default:
        if (name.startsWith('draw:')) this.#readShape(element, style)
        else this.#visit(children, style)
    }
  }

  #readNote(note: XmlElement): void {
    const key = `note ${this.#context.noteBodies.size}`
    const body = child(note, 'text:note-body')
    if (body !== undefined) this.#context.noteBodies.set(key, body)
    this.#line.node(this.#context.notes.mark(key))
  }

  #placeBookmark(name: string | undefined): void {
    if (name === undefined) return
    if (this.#block.attribs['id'] === undefined) this.#block.attribs['id'] = name
    else this.#line.node(createElement('a', { id: name }))
  }

  /** References to page numbers get no link, as the output has no pages. */
  #readReference({ attributes, children }: XmlElement, style: OpenTextStyle): void {
    const name = attributes['text:ref-name']
    const isPage = attributes['text:reference-format'] === 'page'
    this.#visit(children, name === undefined || isPage ? style : { ...style, href: style.href ?? `#${name}` })
  }

  #readFrame(frame: XmlElement, style: OpenTextStyle): void {
    const formula = readObject(frame, this.#context)
    if (formula !== undefined) return this.#line.node(formula)
    const picture = readImage(frame)
    if (picture !== undefined) this.#line.node(picture, style)
    this.#boxes.push(...frame.children.filter(isBox))
  }

  #readShape(shape: XmlElement, style: OpenTextStyle): void {
    if (shape.children.some((node) => typeof node !== 'string' && node.name.startsWith('text:')))
      this.#boxes.push(shape)
    else
      this.#visit(
        shape.children.filter((node) => typeof node !== 'string' && node.name.startsWith('draw:')),
        style,
      )
  }
}

/** Reads the formula in a frame; other embedded objects have an image. */
export function readObject(frame: XmlElement, { objectAt }: LineContext): Element | undefined {
  const object = child(frame, 'draw:object')
  if (object === undefined) return undefined
  const math = child(object, 'math:math') ?? objectAt(object.attributes['xlink:href'])
  return math?.name === 'math:math' ? readMathml(math) : undefined
}

function readMathml(element: XmlElement): Element {
  // Annotations hold the source in another language and are not displayed.
  const children = element.children.filter((node) => typeof node === 'string' || node.name !== 'math:annotation')
  const isFormula = element.name === 'math:math'
  return createElement(
    element.name.replace(/^math:/, ''),
    isFormula && element.attributes['display'] !== 'block' ? {} : { ...element.attributes },
    children.map((node) => (typeof node === 'string' ? node : readMathml(node))),
  )
}

const isBox = (node: XmlNode): node is XmlElement =>
  typeof node !== 'string' && (node.name === 'draw:text-box' || node.name === 'table:table')

/** Reads the image in a frame. Of several formats of one image, the first is used. */
export function readImage(frame: XmlElement): Element | undefined {
  const [image] = descendants(frame, 'draw:image', 'draw:text-box')
  const href = image?.name === 'draw:image' ? image.attributes['xlink:href'] : undefined
  if (href === undefined || child(frame, 'table:table') !== undefined) return undefined
  const alt = xmlText(child(frame, 'svg:desc')).trim() || xmlText(child(frame, 'svg:title')).trim()
  return createElement('img', { src: /^[a-z][\w+.-]+:/i.test(href) ? href : innerAddress(href), alt })
}

/** Returns the target of a link. Targets inside the file end with their kind, which is removed: `#Results|outline`. */
export function readAddress(href: string | undefined): string | undefined {
  if (href === undefined || href === '') return undefined
  // Paths are relative to the package, which counts as a folder: `../` leads to the folder of the file.
  const address = href.replace(/^\.\.\//, '')
  return address.startsWith('#')
    ? address.replace(/\|(?:outline|region|table|frame|graphic|ole|sequence)$/, '')
    : address
}
