import { isWebUrl, resolveUrl } from '../../url.js'
import { decodeText } from '../text/decode-text.js'
import { loadTree } from '../html/load-tree.js'
import type { ParserInput, ParsedPage, ParsePlan, Parser } from '../parser.js'
import { placeStreamedParts } from '../html/place-streamed-parts.js'
import { stripTags } from '../html/strip-tags.js'
import { buildTree } from '../html/build-tree.js'
import { TooManyNodes } from '../html/tree-builder.js'
import { makeVerbatimPage } from '../pages/verbatim-page.js'

// Maximum nesting of elements. The Markdown reader and writer, the selector engine and the serializer recurse, and
// deeper trees overflow the stack of some threads.
const MAX_DEPTH = 400

/** Reads HTML and XHTML. @see https://html.spec.whatwg.org/multipage/parsing.html */
export const html: Parser = {
  name: 'html',
  accepts: (mediaType) => mediaType === 'text/html' || mediaType === 'application/xhtml+xml',
  parse(input, plan) {
    const text = decodeText(input.body, input.contentType, 'html')
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
  const { document, baseHref } = buildTree(text, {
    maxDepth: Math.min(plan.maxDepth, MAX_DEPTH),
    maxNodes: plan.maxNodes,
    isXml: /^application\/xhtml\+xml/i.test(input.contentType ?? ''),
  })
  placeStreamedParts(document)
  const base = baseHref === undefined ? undefined : resolveUrl(baseHref, input.url)
  const baseUrl = base !== undefined && isWebUrl(base) ? base.href : input.url
  return { url: input.url, baseUrl, $: loadTree(document), text, warnings: [] }
}

function readAsText(input: ParserInput, text: string, reason: string): ParsedPage {
  const stripped = stripTags(text)
  const page = makeVerbatimPage(input, stripped, stripped, { warning: `${reason}: it was read as plain text.` })
  return { ...page, text }
}
