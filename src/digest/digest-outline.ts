import type { ConvertedFields } from '../convert/convert.js'
import { listLinks } from '../convert/list-links.js'
import type { FoundLink, HtmlMetadata } from '../extract/extracted-page.js'
import { OutlineReader } from '../extract/outline/page-outline.js'
import { VisibleContent } from '../extract/outline/visible-content.js'
import { TextWriter } from '../parse/html/tree-text.js'
import { streamPage } from '../parse/parse.js'
import type { ParserInput, ParsePlan } from '../parse/parser.js'

/** Selection of what to read of a page without its tree. */
export interface OutlineRequest {
  readonly parse: ParsePlan
  /** Formats of {@link OUTLINE_FORMATS}. */
  readonly formats: readonly { readonly type: string }[]
  /** Returns the text of the whole page. */
  readonly text: boolean
}

/** The parts of a digest that need no tree. */
export interface OutlineDigest {
  readonly metadata: HtmlMetadata
  readonly links: readonly FoundLink[]
  readonly warnings: readonly string[]
  readonly fields: ConvertedFields
}

/** Formats that need no tree. `links` are those of the whole page here. */
export const OUTLINE_FORMATS: ReadonlySet<string> = new Set(['links', 'rawHtml'])

/**
 * Digests a page without building its tree. The result is the same as with the tree, where the content is the whole
 * page.
 *
 * @returns the digest and the page's text; undefined if the page needs a tree
 */
export function digestOutline(
  input: ParserInput,
  { parse, formats, text }: OutlineRequest,
): { readonly made: OutlineDigest; readonly text: string | undefined } | undefined {
  const types = new Set(formats.map(({ type }) => type))
  const writer = text ? new TextWriter() : undefined
  const content = text || types.has('links') ? new VisibleContent(writer) : undefined
  const reader = new OutlineReader(content)
  const page = streamPage(input, parse, reader)
  if (page === undefined || writer?.isReadable === false) return undefined
  const outline = reader.finish(page.root, page.baseUrl)
  if (outline === undefined) return undefined
  const { metadata, links, contentLinks, warnings } = outline
  const fields = {
    ...(types.has('links') && { links: listLinks(contentLinks, page.baseUrl) }),
    ...(types.has('rawHtml') && { rawHtml: page.text }),
  }
  return { made: { metadata, links, warnings, fields }, text: writer?.text }
}
