import { isWebUrl, resolveUrl } from '../../../base/url.js'
import { decodeText } from '../../encoding/decode-text.js'
import { customCards } from '../html/custom-cards.js'
import { fillSlots } from '../html/fill-slots.js'
import { readLinkedText } from '../html/linked-text.js'
import { loadTree } from '../html/load-tree.js'
import { XHTML, mediaTypeOf } from '../media-type/sniff-media-type.js'
import type { ParserInput, ParsedPage, ParsePlan, Parser, StreamedPage } from '../parser.js'
import { drawnElements, drawnFormulas } from '../html/drawn-formulas.js'
import { markdownParts } from '../html/markdown-parts.js'
import { officeLists } from '../html/office-lists.js'
import { markBoundaries, placeStreamedParts } from '../html/place-streamed-parts.js'
import { diagramSource } from '../html/diagram-source.js'
import { roleImages } from '../html/role-images.js'
import { protectedMail, reversedText } from '../html/protected-mail.js'
import { scrambledLabels } from '../html/scrambled-labels.js'
import { splitTables } from '../html/split-tables.js'
import { terminals } from '../html/terminals.js'
import type { TreeRepair } from '../html/tree-repair.js'
import { buildTree } from '../html/build-tree.js'
import { type NodeReader, NeedsTree, streamNodes } from '../html/stream-nodes.js'
import { TooManyNodes, type TreeLimits } from '../html/tree-builder.js'
import { makeVerbatimPage } from '../pages/verbatim-page.js'

// Maximum nesting of elements. The Markdown reader and writer, the selector engine and the serializer recurse, and
// deeper trees overflow the stack of some threads.
const MAX_DEPTH = 400

/** Reads HTML and XHTML. @see https://html.spec.whatwg.org/multipage/parsing.html */
export const html: Parser = {
  name: 'html',
  accepts: (mediaType) => mediaType === 'text/html' || mediaType === XHTML,
  parse(input, plan) {
    const text = decodeText(input, 'html')
    if (plan.asText !== undefined) return readAsText(input, text, plan.asText)
    if (input.body.length > plan.maxHtmlBytes)
      return readAsText(input, text, `The page has ${input.body.length} bytes of HTML, more than ${plan.maxHtmlBytes}`)
    try {
      return readAsTree(input, text, plan)
    } catch (error) {
      if (!(error instanceof TooManyNodes)) throw error
      return readAsText(input, text, `The page has more than ${plan.maxNodes} elements and texts`)
    }
  },
}

function readAsTree(input: ParserInput, text: string, plan: ParsePlan): ParsedPage {
  const { document, baseHref, hasTemplates, classes, lostAttributes } = buildTree(
    markBoundaries(text),
    limitsOf(input, plan),
    input.body,
  )
  if (hasTemplates) {
    placeStreamedParts(document)
    fillSlots(document)
  }
  for (const { apply } of repairsOf(text, classes)) apply(document)
  const warnings =
    lostAttributes === 0
      ? []
      : [`${lostAttributes} copies of links and marks, which misnested markup makes, are without their attributes.`]
  return { url: input.url, baseUrl: baseUrlOf(input, baseHref), tree: loadTree(document), text, warnings }
}

/**
 * Reads HTML without a tree.
 *
 * @returns undefined for a page that needs a tree, or that is not read as HTML
 */
export function streamHtml(input: ParserInput, plan: ParsePlan, reader: NodeReader): StreamedPage | undefined {
  if (plan.asText !== undefined || input.body.length > plan.maxHtmlBytes) return undefined
  const warnings: string[] = []
  const text = decodeText({ ...input, warn: (warning) => warnings.push(warning) }, 'html')
  try {
    const { html: root, baseHref, classes } = streamNodes(text, limitsOf(input, plan), reader, input.body)
    if (repairsOf(text, classes).length > 0) return undefined
    return { text, baseUrl: baseUrlOf(input, baseHref), root, warnings }
  } catch (error) {
    if (error instanceof NeedsTree || error instanceof TooManyNodes) return undefined
    throw error
  }
}

/** In the order in which they are made. */
const REPAIRS: readonly TreeRepair[] = [
  protectedMail,
  reversedText,
  roleImages,
  officeLists,
  drawnFormulas,
  drawnElements,
  diagramSource,
  markdownParts,
  splitTables,
  terminals,
  scrambledLabels,
  customCards,
]

/** The marks that are looked for at once. Nearly no page has one, and a look for each of them takes twice the time. */
const MARKS = joinPatterns(
  REPAIRS.flatMap(({ mark, sign, classSign }) => ((sign ?? classSign) === undefined ? [mark] : [])),
)
const CLASS_SIGNS = joinPatterns(REPAIRS.flatMap(({ classSign }) => (classSign === undefined ? [] : [classSign])))

/** @param classes lists of classes that the page has */
function repairsOf(text: string, classes: ReadonlySet<string>): readonly TreeRepair[] {
  const isMarked = MARKS.test(text)
  const hasClass = CLASS_SIGNS.test([...classes].join(' '))
  return REPAIRS.filter(({ mark, sign, classSign }) => {
    const mayBe = classSign !== undefined ? hasClass : sign !== undefined ? sign.test(text) : isMarked
    return mayBe && mark.test(text)
  })
}

function joinPatterns(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

const limitsOf = (input: ParserInput, { maxDepth, maxNodes }: ParsePlan): TreeLimits => ({
  maxDepth: Math.min(maxDepth, MAX_DEPTH),
  maxNodes,
  isXml: mediaTypeOf(input) === XHTML,
})

function baseUrlOf({ url }: ParserInput, baseHref: string | undefined): string {
  const base = baseHref === undefined ? undefined : resolveUrl(baseHref, url)
  return base !== undefined && isWebUrl(base) ? base.href : url
}

/** Reads the text of a page with its links and metadata, so that a crawl goes on from it. */
function readAsText(input: ParserInput, source: string, reason: string): ParsedPage {
  const { text, content, head, baseHref } = readLinkedText(source)
  const page = makeVerbatimPage(input, text, text, { content, head, warning: `${reason}: it was read as plain text.` })
  return { ...page, baseUrl: baseUrlOf(input, baseHref), text: source }
}
