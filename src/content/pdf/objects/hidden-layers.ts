import type { OpenPdf, PdfFile, PdfPage, TextContent } from '../library/load-pdf.js'

/** Layers of a file of which some are switched off. */
export interface Layers {
  /** Tests if what belongs to a layer, or to an expression of layers, is shown. */
  isVisible(layer: unknown): boolean
}

/**
 * Reads the layers of a file ("optional content"), such as translations, drafts and answers; undefined if all are shown.
 *
 * @see ISO 32000-1 section 8.11
 */
export async function readLayers(file: PdfFile): Promise<Layers | undefined> {
  const layers = await file.getOptionalContentConfig().catch(() => undefined)
  if (layers === undefined) return undefined
  for (const [, { visible }] of layers) if (!visible) return layers
  return undefined
}

/** Text of a page without that in layers that are switched off. */
interface ShownText {
  readonly content: TextContent
  /** True if text was removed. */
  readonly isLess: boolean
  /** True if it is not known which text is in layers that are switched off: all of it is kept. */
  readonly isUnsure: boolean
}

/**
 * Removes the text in layers that are switched off. The library names the layers in the drawing of a page only: the first mark of a
 * layer in the text is the first one in the drawing, and so on.
 *
 * @param content text with its marks
 */
export async function dropHiddenText(
  content: TextContent,
  page: PdfPage,
  layers: Layers,
  operations: OpenPdf['operations'],
): Promise<ShownText> {
  const marks = content.items.filter((item) => isLayerMark(item)).length
  if (marks === 0) return { content, isLess: false, isUnsure: false }
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 })
  const all: { readonly isShown: boolean; readonly isOfForm: boolean }[] = []
  fnArray.forEach((operation, at) => {
    const args = argsArray[at]
    if (operation !== operations.beginMarkedContentProps || !Array.isArray(args) || args[0] !== 'OC') return
    const next = fnArray[at + 1]
    const isOfForm = next === operations.beginGroup || next === operations.paintFormXObjectBegin
    all.push({ isShown: args[1] === undefined || args[1] === null || layers.isVisible(args[1]), isOfForm })
  })
  // Forms that name a layer themselves have no mark in the text.
  const own = all.length > marks ? all.filter(({ isOfForm }) => !isOfForm) : all
  if (own.length !== marks) return { content, isLess: false, isUnsure: all.some(({ isShown }) => !isShown) }
  return {
    ...keepShown(
      content,
      own.map(({ isShown }) => isShown),
    ),
    isUnsure: false,
  }
}

function keepShown(content: TextContent, shown: readonly boolean[]): { content: TextContent; isLess: boolean } {
  const open: boolean[] = []
  let [at, hidden, isLess] = [0, 0, false]
  const items = content.items.filter((item) => {
    if ('str' in item) {
      if (hidden > 0 && item.str.trim() !== '') isLess = true
      return hidden === 0
    }
    if (item.type === 'endMarkedContent') {
      if (open.pop() === false) hidden -= 1
    } else {
      const isShown = !isLayerMark(item) || shown[at++] !== false
      open.push(isShown)
      if (!isShown) hidden += 1
    }
    return false
  })
  return { content: { ...content, items }, isLess }
}

const isLayerMark = (item: TextContent['items'][number]): boolean =>
  'type' in item && item.type === 'beginMarkedContentProps' && item.tag === 'OC'
