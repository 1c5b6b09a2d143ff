import { type ConvertedFields, outlineOf } from '../convert/convert.js'
import { extractOutline } from '../extract/extract.js'
import type { ExtractPlan, PageStatements } from '../extract/extracted-page.js'
import { OutlineReader, type PageOutline } from '../extract/outline/page-outline.js'
import { VisibleContent } from '../extract/outline/visible-content.js'
import { type DocumentLimits, NO_LIMITS } from '../html/document-limits.js'
import { TextWriter } from '../parse/html/tree-text.js'
import { streamPage } from '../parse/parse.js'
import type { FileFacts, ParsedPage, ParserInput, ParsePlan } from '../parse/parser.js'

/** Selection of the parts of a digest that need no tree of the content. */
export interface OutlineRequest {
  /** Formats that need no tree of the content: those with an `outline`. */
  readonly formats: readonly { readonly type: string }[]
  /** Returns the text of the content. */
  readonly text: boolean
}

/** The parts of a digest that need no tree of the content. */
interface OutlineDigest extends PageStatements {
  readonly warnings: readonly string[]
  readonly facts?: FileFacts
  readonly fields: ConvertedFields
}

/** A digest, and the text of the content if it was requested. */
interface ReadOutline {
  readonly made: OutlineDigest
  readonly text: string | undefined
}

/** Tests whether a request needs the links or the text of the content. */
export const needsContent = ({ formats, text }: OutlineRequest): boolean =>
  text || formats.some(({ type }) => outlineOf(type)?.readsContent !== false)

/**
 * Digests a page without building its tree. The result is the same as with the tree, where the content is the whole
 * page, but for the labels of tabs in its text: they stay in their list.
 *
 * @returns undefined if the page needs a tree
 */
export function streamOutline(
  input: ParserInput,
  plan: ParsePlan,
  request: OutlineRequest,
  limits: DocumentLimits = NO_LIMITS,
): ReadOutline | undefined {
  const writer = request.text ? new TextWriter() : undefined
  const reader = new OutlineReader(needsContent(request) ? new VisibleContent(writer) : undefined)
  const page = streamPage(input, plan, reader)
  if (page === undefined || writer?.isReadable === false) return undefined
  const outline = reader.finish(page.root, page.baseUrl, limits)
  if (outline === undefined) return undefined
  const warnings = [...page.warnings, ...outline.warnings]
  return { made: toDigest({ ...outline, warnings }, page, request), text: writer?.finish() }
}

/**
 * Digests a page from its tree, without taking the content out of it.
 *
 * @returns undefined if the text can only be read from the content
 */
export function readOutline(page: ParsedPage, plan: ExtractPlan, request: OutlineRequest): ReadOutline | undefined {
  const selection = needsContent(request) ? plan : { ...plan, onlyMainContent: false }
  const writer = request.text && page.markdown === undefined ? new TextWriter() : undefined
  const outline = extractOutline(page, selection, writer)
  if (writer?.isReadable === false) return undefined
  const warnings = [...page.warnings, ...outline.warnings]
  const made = { ...toDigest({ ...outline, warnings }, page, request), facts: page.facts }
  return { made, text: request.text ? (page.markdown ?? writer?.finish()) : undefined }
}

function toDigest(
  { contentLinks, ...found }: PageOutline,
  { baseUrl, text }: { readonly baseUrl: string; readonly text: string },
  { formats }: OutlineRequest,
): OutlineDigest {
  const fields: ConvertedFields = {}
  for (const item of formats)
    Object.assign(fields, outlineOf(item.type)?.convert({ contentLinks, baseUrl, text }, item))
  return { ...found, fields }
}
