import { type Element, append } from '../../html/tree.js'
import type { DroppedLines } from '../../../base/text/dropped-lines.js'
import { diagramTexts } from '../docx/diagram.js'
import { innerAddress, createElement, readSpan, spanAttributes } from '../elements/create-element.js'
import type { LeftOut } from '../docx/docx-runs.js'
import type { OfficePackage, Relationship } from '../package/open-package.js'
import { type Placeholders, readSlideBox, type Space, WHOLE_SLIDE } from './pptx-layout.js'
import { readSlideText } from './pptx-text.js'
import type { Box } from '../elements/reading-order.js'
import { at, child, childrenNamed, descendants, elements, type XmlElement } from '../package/xml.js'

/** Context that the shapes of a slide are read in. */
export interface ShapeContext {
  readonly parts: OfficePackage
  readonly relations: ReadonlyMap<string, Relationship>
  readonly placeholders: Placeholders
  readonly leftOut: LeftOut
  /** Gets text that nobody can read. @default it stays */
  readonly hidden?: DroppedLines
}

/** Shape with its contents. */
interface Shape {
  readonly box: Box | undefined
  readonly isTitle: boolean
  readonly content: Element
}

// Placeholders that repeat on every slide.
const NO_CONTENT = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

/** Lists the shapes below `tree`, including those in groups, in document order. @see ECMA-376 part 1, section 19.3.1 */
export function readShapes(tree: XmlElement, context: ShapeContext, space: Space = WHOLE_SLIDE): Shape[] {
  return elements(tree).flatMap((element): Shape[] => {
    if (isHidden(element)) return []
    switch (element.name) {
      case 'p:sp':
        return readShape(element, context, space)
      case 'p:pic':
        return readPicture(element, context, space)
      case 'p:graphicFrame':
        return readFrame(element, context, space)
      case 'p:grpSp':
        return readShapes(element, context, space.inside(at(element, 'p:grpSpPr', 'a:xfrm')))
      default:
        return []
    }
  })
}

const SHAPE_PROPERTIES = ['p:nvSpPr', 'p:nvPicPr', 'p:nvGraphicFramePr', 'p:nvGrpSpPr']

const isHidden = (shape: XmlElement): boolean =>
  SHAPE_PROPERTIES.some((name) => /^(?:1|true)$/.test(at(shape, name, 'p:cNvPr')?.attributes['hidden'] ?? ''))

function readShape(shape: XmlElement, context: ShapeContext, space: Space): Shape[] {
  const placeholder = descendants(child(shape, 'p:nvSpPr'), 'p:ph')[0]
  const type = placeholder?.attributes['type'] ?? 'obj'
  const body = child(shape, 'p:txBody')
  if (body === undefined || (placeholder !== undefined && NO_CONTENT.has(type))) return []
  const inherited = placeholder && context.placeholders.find(placeholder.attributes)
  const own = readSlideBox(at(shape, 'p:spPr', 'a:xfrm'), space)
  const content = createElement('div')
  const ground = at(shape, 'p:spPr', 'a:solidFill', 'a:srgbClr')?.attributes['val']
  const { relations, hidden } = context
  readSlideText(body, content, { relations, listStyles: inherited?.listStyles ?? [], hidden, ground })
  if (content.children.length === 0) return []
  const isTitle = placeholder !== undefined && (type === 'title' || type === 'ctrTitle')
  return [{ box: own ?? inherited?.box, isTitle, content }]
}

function readPicture(picture: XmlElement, { relations }: ShapeContext, space: Space): Shape[] {
  const blip = at(picture, 'p:blipFill', 'a:blip')?.attributes
  const relation = relations.get(blip?.['r:embed'] ?? blip?.['r:link'] ?? '')
  if (relation === undefined) return []
  const facts = at(picture, 'p:nvPicPr', 'p:cNvPr')
  const alt = facts?.attributes['descr'] || facts?.attributes['title'] || ''
  const src = relation.isExternal ? relation.target : innerAddress(relation.target)
  const image = createElement('img', { src, alt })
  const link = relations.get(child(facts, 'a:hlinkClick')?.attributes['r:id'] ?? '')
  const shown = link?.isExternal === true ? createElement('a', { href: link.target }, [image]) : image
  return [
    {
      box: readSlideBox(at(picture, 'p:spPr', 'a:xfrm'), space),
      isTitle: false,
      content: createElement('p', {}, [shown]),
    },
  ]
}

function readFrame(frame: XmlElement, context: ShapeContext, space: Space): Shape[] {
  const data = at(frame, 'a:graphic', 'a:graphicData')
  const table = child(data, 'a:tbl')
  const diagram = child(data, 'dgm:relIds')
  const described = at(frame, 'p:nvGraphicFramePr', 'p:cNvPr')?.attributes['descr'] ?? ''
  const content =
    table !== undefined
      ? readSlideTable(table, context)
      : diagram !== undefined
        ? readDiagram(diagram, context)
        : described === ''
          ? undefined
          : createElement('p', {}, [described])
  if (diagram !== undefined && content === undefined) context.leftOut.diagrams += 1
  context.leftOut.charts += childrenNamed(data, 'c:chart').length
  if (content === undefined) return []
  return [{ box: readSlideBox(child(frame, 'p:xfrm'), space), isTitle: false, content }]
}

/** @see ECMA-376 part 1, section 21.1.3 */
function readSlideTable(table: XmlElement, { relations, hidden }: ShapeContext): Element {
  const isNamed = /^(?:1|true)$/.test(child(table, 'a:tblPr')?.attributes['firstRow'] ?? '')
  const made = createElement('table')
  for (const [index, row] of childrenNamed(table, 'a:tr').entries()) {
    const line = createElement('tr')
    append(made, line)
    for (const cell of childrenNamed(row, 'a:tc')) {
      const { gridSpan, rowSpan, hMerge, vMerge } = cell.attributes
      if (/^(?:1|true)$/.test(hMerge ?? '') || /^(?:1|true)$/.test(vMerge ?? '')) continue
      const element = createElement(
        isNamed && index === 0 ? 'th' : 'td',
        spanAttributes(readSpan(gridSpan), readSpan(rowSpan)),
      )
      const body = child(cell, 'a:txBody')
      if (body !== undefined) readSlideText(body, element, { relations, listStyles: [], hidden })
      append(line, element)
    }
  }
  return made
}

/** Reads the texts of a diagram as a list. */
function readDiagram(diagram: XmlElement, { parts, relations }: ShapeContext): Element | undefined {
  const texts = diagramTexts(parts.read(relations.get(diagram.attributes['r:dm'] ?? '')?.target)?.root)
  return texts.length === 0
    ? undefined
    : createElement(
        'ul',
        {},
        texts.map((text) => createElement('li', {}, [text])),
      )
}
