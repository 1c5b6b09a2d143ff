import { createElement, type OfficeContent, textOfParts } from '../elements/create-element.js'
import { DroppedLines } from '../../../base/text/dropped-lines.js'
import { openPackage, type OfficePackage } from '../package/open-package.js'
import { readPlaceholders } from './pptx-layout.js'
import { readShapes, type ShapeContext } from './pptx-shapes.js'
import { readSlideText } from './pptx-text.js'
import type { Box } from '../elements/reading-order.js'
import { buildSlide } from '../elements/slide.js'
import { hiddenWarning, leftOutWarnings, TOO_DEEP_WARNING } from '../warnings.js'
import { at, child, childrenNamed, descendants, type XmlElement } from '../package/xml.js'
import type { Element } from '../../html/tree.js'

const MAX_SLIDES = 2000

/** Reads a .pptx file: its slides in order, without hidden ones. Comments are left out. */
export function readPptx(body: Uint8Array, { keepsHidden }: { readonly keepsHidden?: boolean } = {}): OfficeContent {
  const parts = openPackage(body, ['ppt/presentation.xml'])
  const presentation = parts.read(parts.main)?.root
  const relations = parts.relationsOf(parts.main)
  const root = createElement('div')
  const hidden: string[] = []
  const dropped = new DroppedLines()
  const cut: string[] = []
  let isTooDeep = false
  const leftOut = { charts: 0, diagrams: 0, documents: 0 }
  const { cx, cy } = child(presentation, 'p:sldSz')?.attributes ?? {}
  const size = { width: Number(cx ?? NaN), height: Number(cy ?? NaN) }
  const layouts = new Map<string, ShapeContext['placeholders']>()
  const ids = childrenNamed(child(presentation, 'p:sldIdLst'), 'p:sldId')
  for (const [index, { attributes }] of ids.slice(0, MAX_SLIDES).entries()) {
    const part = relations.get(attributes['r:id'] ?? '')?.target
    const slide = parts.read(part)
    if (part === undefined || slide === undefined) continue
    const context = {
      parts,
      relations: parts.relationsOf(part),
      placeholders: placeholdersOf(part, parts, layouts),
      leftOut,
      hidden: keepsHidden === true ? undefined : dropped,
    }
    if (/^(?:0|false)$/.test(slide.root.attributes['show'] ?? '')) {
      hidden.push(String(index + 1))
      const shapes = readSlide(slide.root, {
        ...context,
        hidden: undefined,
        leftOut: { charts: 0, diagrams: 0, documents: 0 },
      })
      const text = textOfParts(shapes.map(({ content }) => content))
      dropped.add({ selector: `h2:nth-of-type(${index + 1})`, text, reason: 'is a hidden slide' })
      continue
    }
    if (slide.isCut) cut.push(String(index + 1))
    isTooDeep ||= slide.isTooDeep
    const shapes = readSlide(slide.root, context).filter(({ box, content }) => {
      if (keepsHidden === true || box === undefined || !isBeside(box, size)) return true
      dropped.add({ selector: '', text: textOfParts([content]), reason: 'lies outside of the slide', isHidden: true })
      return false
    })
    buildSlide({ number: index + 1, shapes, notes: readNotes(part, parts) }, root)
  }
  const warnings = [
    ...(hidden.length > 0 ? [hiddenWarning('slide', hidden)] : []),
    ...leftOutWarnings(leftOut),
    ...(cut.length > 0 ? [`Of slide ${cut.join(', ')} the end is missing: it is larger than can be read.`] : []),
    ...(isTooDeep ? [TOO_DEEP_WARNING] : []),
    ...(ids.length > MAX_SLIDES ? [`The last ${ids.length - MAX_SLIDES} slides are left out.`] : []),
  ]
  const isWhole = cut.length === 0 && !isTooDeep && ids.length <= MAX_SLIDES
  const { unpackedBytes: sourceBytes } = parts.zip
  return { content: [root], metadata: parts.metadata, warnings, sourceBytes, dropped: isWhole ? dropped : undefined }
}

/** True for a box that no part of a slide has. */
const isBeside = ({ x, y, width, height }: Box, slide: { readonly width: number; readonly height: number }): boolean =>
  x + width <= 0 || y + height <= 0 || x >= slide.width || y >= slide.height

function readSlide(root: XmlElement, context: ShapeContext): ReturnType<typeof readShapes> {
  const tree = at(root, 'p:cSld', 'p:spTree')
  return tree === undefined ? [] : readShapes(tree, context)
}

/** Reads the placeholders of a layout, once for all its slides. */
function placeholdersOf(
  slide: string,
  parts: OfficePackage,
  known: Map<string, ShapeContext['placeholders']>,
): ShapeContext['placeholders'] {
  const path = parts.partOf(slide, 'slideLayout') ?? ''
  const found = known.get(path)
  if (found !== undefined) return found
  const layout = path === '' ? undefined : parts.read(path)?.root
  const master = path === '' ? undefined : parts.read(parts.partOf(path, 'slideMaster'))?.root
  const made = readPlaceholders(layout, master)
  known.set(path, made)
  return made
}

function readNotes(slide: string, parts: OfficePackage): Element | undefined {
  const part = parts.partOf(slide, 'notesSlide')
  const shapes = descendants(parts.read(part)?.root, 'p:sp')
  const body = child(shapes.find(isNotesBody), 'p:txBody')
  if (part === undefined || body === undefined) return undefined
  const notes = createElement('div')
  readSlideText(body, notes, { relations: parts.relationsOf(part), listStyles: [] })
  return notes
}

const isNotesBody = (shape: XmlElement): boolean =>
  descendants(child(shape, 'p:nvSpPr'), 'p:ph')[0]?.attributes['type'] === 'body'
