import type { Element } from '../../html/tree.js'
import { buildTree } from '../html/build-tree.js'
import { type TextInput, decodeText } from '../../encoding/decode-text.js'
import { officeParser } from '../pages/office-page.js'
import { makeElement } from '../html/load-tree.js'
import { readDrawing } from '../pages/drawing-words.js'
import { stripTags } from '../html/strip-tags.js'
import type { ParsePlan } from '../parser.js'
import { TooManyNodes } from '../html/tree-builder.js'

/** Reads EPUB books. Each chapter is parsed as an HTML page. @see https://www.w3.org/TR/epub-33/ */
export const epub = officeParser('epub', async () => {
  const { readEpub } = await import('../../office/epub/epub.js')
  return (body, plan) => {
    const warnings = new Set<string>()
    const content = readEpub(body, {
      maxBytes: plan.maxHtmlBytes,
      readBody: (bytes, mediaType) => {
        return readChapter({ body: bytes, warn: (warning) => warnings.add(warning) }, mediaType, plan)
      },
      toText: stripTags,
    })
    return { ...content, warnings: [...content.warnings, ...warnings] }
  }
})

// Maximum nesting of elements: the Markdown reader and writer, the selector engine and the serializer recurse.
const MAX_DEPTH = 400

function readChapter(input: TextInput, mediaType: string, plan: ParsePlan): Element | undefined {
  const isXml = mediaType !== 'text/html'
  const text = decodeText(input, isXml ? 'xml' : 'html')
  if (mediaType === 'image/svg+xml') return makeElement('body', {}, [...readDrawing(text).content])
  try {
    return buildTree(text, { maxDepth: Math.min(plan.maxDepth, MAX_DEPTH), maxNodes: plan.maxNodes, isXml }).body
  } catch (error) {
    if (error instanceof TooManyNodes) return undefined
    throw error
  }
}
