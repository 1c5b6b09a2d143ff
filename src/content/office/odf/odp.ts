import { type Element, hasText } from '../../html/tree.js'
import { createElement, type OfficeContent, textOfParts } from '../elements/create-element.js'
import { DroppedLines } from '../../../base/text/dropped-lines.js'
import { NoteRegister } from '../elements/notes.js'
import { type OpenContext, readOpenBlocks } from './odf-blocks.js'
import { openOpenDocument } from './odf-package.js'
import { readOpenStyles } from './odf-styles.js'
import { CellRepeats } from './odf-table.js'
import type { Box } from '../elements/reading-order.js'
import { buildSlide } from '../elements/slide.js'
import { hiddenWarning, REPEATS_WARNING } from '../warnings.js'
import { child, childrenNamed, descendants, elements, type XmlElement } from '../package/xml.js'
import { ownValue } from '../../../base/collections/own-value.js'

const MAX_SLIDES = 2000

/** Reads an OpenDocument presentation, without hidden slides. */
export function readOdp(body: Uint8Array, { keepsHidden }: { readonly keepsHidden?: boolean } = {}): OfficeContent {
  const document = openOpenDocument(body)
  const styles = readOpenStyles([document.content, document.styles])
  const dropped = new DroppedLines()
  const context: OpenContext = {
    styles,
    notes: new NoteRegister(),
    noteBodies: new Map(),
    objectAt: document.objectAt,
    ends: { byId: new Map(), last: 0 },
    repeats: new CellRepeats(),
    depth: 0,
    hidden: keepsHidden === true ? undefined : dropped,
  }
  const root = createElement('div')
  const hidden: string[] = []
  const pages = childrenNamed(document.body, 'draw:page')
  for (const [index, page] of pages.slice(0, MAX_SLIDES).entries()) {
    const visibility = styles.pageProperty(page.attributes['draw:style-name'], 'presentation:visibility')
    if (visibility === 'hidden') {
      hidden.push(String(index + 1))
      const text = textOfParts(
        readShapes(elements(page), { ...context, notes: new NoteRegister(), hidden: undefined }).map(
          ({ content }) => content,
        ),
      )
      dropped.add({ selector: `h2:nth-of-type(${index + 1})`, text, reason: 'is a hidden slide' })
      continue
    }
    const shapes = readShapes(elements(page), context)
    buildSlide({ number: index + 1, shapes, notes: readNotes(page, context) }, root)
  }
  const warnings = [
    ...document.warnings,
    ...(context.repeats.isCut ? [REPEATS_WARNING] : []),
    ...(hidden.length > 0 ? [hiddenWarning('slide', hidden)] : []),
    ...(pages.length > MAX_SLIDES ? [`The last ${pages.length - MAX_SLIDES} slides are left out.`] : []),
  ]
  const isWhole = document.warnings.length === 0 && !context.repeats.isCut && pages.length <= MAX_SLIDES
  const { metadata, sourceBytes } = document
  return { content: [root], metadata, warnings, sourceBytes, dropped: isWhole ? dropped : undefined }
}

interface Shape {
  readonly box: Box | undefined
  readonly isTitle: boolean
  readonly content: Element
}

// Placeholders that repeat on every slide.
const NO_CONTENT = new Set(['date-time', 'footer', 'header', 'page', 'page-number'])

function readShapes(nodes: readonly XmlElement[], context: OpenContext): Shape[] {
  return nodes.flatMap((element): Shape[] => {
    const { name, attributes } = element
    if (name === 'draw:g' || name === 'draw:a') return readShapes(elements(element), context)
    const role = attributes['presentation:class'] ?? ''
    const isShown = name.startsWith('draw:') && attributes['presentation:placeholder'] !== 'true'
    if (!isShown || NO_CONTENT.has(role)) return []
    const content = createElement('div')
    readOpenBlocks([element], content, context)
    return content.children.length === 0 ? [] : [{ box: boxOf(attributes), isTitle: role === 'title', content }]
  })
}

function readNotes(page: XmlElement, context: OpenContext): Element | undefined {
  const frames = descendants(child(page, 'presentation:notes'), 'draw:frame')
  const notes = createElement('div')
  for (const frame of frames)
    if (frame.attributes['presentation:class'] === 'notes') readOpenBlocks([frame], notes, context)
  return hasText(notes) ? notes : undefined
}

function boxOf(attributes: Readonly<Record<string, string>>): Box | undefined {
  const x = readLength(attributes['svg:x'])
  const y = readLength(attributes['svg:y'])
  if (x === undefined || y === undefined) return undefined
  return { x, y, width: readLength(attributes['svg:width']) ?? 0, height: readLength(attributes['svg:height']) ?? 0 }
}

const MILLIMETRES: Readonly<Record<string, number>> = { cm: 10, mm: 1, in: 25.4, pt: 0.3528, pc: 4.233, px: 0.2646 }

/** Parses a length to millimetres. */
function readLength(written: string | undefined): number | undefined {
  const [, number, unit] = /^(-?[\d.]{1,20})(cm|mm|in|pt|pc|px)$/.exec(written ?? '') ?? []
  const length = Number(number) * (ownValue(MILLIMETRES, unit ?? '') ?? Number.NaN)
  return Number.isFinite(length) ? length : undefined
}
