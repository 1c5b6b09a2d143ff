import { compare, type Comparison } from '../compare/compare.js'
import { convert, type ConvertedFields, type ConvertPlan, isText, outlineOf, readsPage } from '../convert/convert.js'
import { extract } from '../extract/extract.js'
import type { DroppedBlock } from '../extract/fidelity/dropped-block.js'
import type { ExtractPlan, ExtractedPage } from '../extract/extracted-page.js'
import { dropBlocks } from '../extract/fidelity/drop-blocks.js'
import { withoutWords } from '../extract/fidelity/fidelity.js'
import { chunkMarkdown, type Chunk, fitChunks } from '../convert/split/chunk-markdown.js'
import { writeMarkdown } from '../convert/write/write-markdown.js'
import { type PartFields, placeBlocks, writeParts } from '../convert/write/write-parts.js'
import { parse, parseFile } from '../parse/parse.js'
import type { FileFacts, FileTools, ParserInput, ParsedPage, ParsePlan } from '../parse/parser.js'
import { stripTags } from '../parse/html/strip-tags.js'
import { treeToText } from '../parse/html/tree-text.js'
import { type DigestPart, type FeatureCode, findPart } from './digest-part.js'
import { type DigestRewriter, keepLinks, openRewriter, type RewritePlan, type Rewriter } from './rewriter.js'
import type { DropPlan } from './drop-plan.js'
import { needsContent, type OutlineRequest, readOutline, streamOutline } from './digest-outline.js'
import { createEnrichInputs, type EnrichInputsPlan, type EnrichInputs } from './enrich-inputs.js'
import { queryTree, type TreeQuery, type TreeTasks } from '../extract/tree-task.js'
import { type DocumentLimits, limitDocument, limitWarning } from '../html/document-limits.js'
import { takeApart } from '../html/tree.js'
import { takeFingerprint, type Fingerprint } from '../../base/text/fingerprint/similarity.js'

/** Options of a digest, one part for each of its steps. */
export interface DigestPlan {
  readonly parse: ParsePlan
  readonly extract: ExtractPlan
  readonly convert: ConvertPlan
  /** Computes a fingerprint of the content, to find near-duplicates in a crawl. @default false */
  readonly fingerprint?: boolean
  /** Part of a feature that leaves blocks out of the content. If it is set, even with nothing learnt, `Digest.tells` is filled. */
  readonly drop?: DropPlan
  /** Set for change tracking: to compare the page with its last snapshot, or to create the first snapshot. */
  readonly track?: TrackPlan
  /** Set to query the page's tree only. No content is extracted then. */
  readonly query?: TreeQuery
  /** Set to create inputs for the formats of `enrich`, such as `json`, as well. */
  readonly material?: EnrichInputsPlan
  /** Part of a feature that rewrites all that is read of the page, before anything else sees it. */
  readonly rewrite?: RewritePlan
}

/** Options of the comparison of a page with its last snapshot. */
export interface TrackPlan {
  /** Markdown of the last snapshot; absent if there is none. */
  readonly previous?: string
  /** Lists the differences. */
  readonly diff: boolean
  /** Maximum number of tokens in a chunk. Set to return both versions in chunks. */
  readonly pieces?: number
}

/** Result of a page's comparison with its last snapshot. */
interface Tracked extends Partial<Comparison> {
  /**
   * Markdown of the whole content, independent of the requested formats and of {@link DigestPlan.drop}. It is
   * {@link TrackPlan.previous} of the next scrape.
   */
  readonly markdown: string
  /** Both versions in chunks; absent if they were not requested, or if the page has not changed. */
  readonly texts?: { readonly previous: readonly Chunk[]; readonly current: readonly Chunk[] }
}

/** The facts of an extracted page, without its tree: plain data. A further fact of {@link ExtractedPage} is one here as well. */
type PageFacts = Omit<ExtractedPage, 'page' | 'tree' | 'resolver' | 'limits' | 'hiddenLinks'>

/** All results for a page. Plain data, so that a worker thread can send it. */
export interface Digest extends PageFacts {
  readonly fields: ConvertedFields
  readonly warnings: readonly string[]
  readonly fingerprint?: Fingerprint
  /** Facts about the whole content, for the comparison with other pages; absent without {@link DigestPlan.drop}. */
  readonly tells?: unknown
  /** Blocks that {@link DigestPlan.drop} has left out; absent if there are none. */
  readonly dropped?: readonly DroppedBlock[]
  readonly facts?: FileFacts
  /** Pages and blocks of a file, if they were requested. */
  readonly parts?: PartFields
  readonly tracked?: Tracked
  readonly material?: EnrichInputs
  /** Answer to the query; undefined for none. */
  readonly answer?: unknown
  /** Note of the rewriter of {@link DigestPlan.rewrite}. In memory only: it may have what was rewritten. */
  readonly rewritten?: unknown
}

/** Parses, extracts and converts a page, from bytes to formats. Its result depends on nothing but the arguments. */
export function digest(input: ParserInput, plan: DigestPlan, code?: DigestCode): Digest {
  const outline = readWithoutTree(input, plan)
  if (outline) return finish(outline, input, plan, code)
  const steps = readPage(parse(input, plan.parse), input, plan, code)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return finish(step.value, input, plan, code)
}

/** Code of features that a digest runs. */
interface DigestCode {
  /** Tasks for the query and the reading of a plan. @default none */
  readonly treeTasks?: TreeTasks
  /** Parts for {@link DigestPlan.drop}. @default none */
  readonly parts?: readonly DigestPart[]
  /** Rewriters for {@link DigestPlan.rewrite}. @default none */
  readonly rewriters?: readonly DigestRewriter[]
}

/** Tools of a digest. */
export interface DigestTools extends FileTools, DigestCode {}

/** Loads the code that a plan names. */
export const loadCode = async (
  { query, drop, rewrite, extract: { reading } }: DigestPlan,
  code: FeatureCode,
): Promise<DigestCode> => ({
  treeTasks: (query ?? reading) === undefined ? undefined : ((await code.tasks()) as TreeTasks),
  parts: drop && (await code.parts()),
  rewriters: rewrite && (await code.rewriters?.()),
})

/** Digests a page or a file. It is asynchronous because some file parsers are, such as that of PDF files. */
export async function digestFile(input: ParserInput, plan: DigestPlan, tools?: DigestTools): Promise<Digest> {
  const outline = readWithoutTree(input, plan)
  if (outline) return finish(outline, input, plan, tools)
  const steps = readPage(await parseFile(input, plan.parse, tools), input, plan, tools)
  try {
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) await tools?.takeTurn?.()
    return finish(step.value, input, plan, tools)
  } finally {
    steps.return({ made: NOTHING_MADE, text: undefined })
  }
}

const NOTHING_MADE: Digest = { fields: {}, metadata: {}, links: [], warnings: [] }

/** A digest without fingerprint and comparison, and the text for these; undefined if neither was requested. */
interface ReadPage {
  readonly made: Digest
  readonly text: string | undefined
}

/** Returns the request for a plan that needs no tree of the content: metadata, links and the raw page only. */
export function planOutline(plan: DigestPlan): OutlineRequest | undefined {
  const { extract: selection, convert: conversion } = plan
  if (selection.reading ?? selection.list) return undefined
  if (plan.query ?? plan.material ?? plan.track ?? plan.drop) return undefined
  if (selection.trace === true || selection.fidelity !== false) return undefined
  if (conversion.formats.some(({ type }) => outlineOf(type) === undefined)) return undefined
  return { formats: conversion.formats, text: plan.fingerprint === true }
}

/** Digests a page without a tree. @returns undefined if the plan or the page needs one */
function readWithoutTree(input: ParserInput, plan: DigestPlan): ReadPage | undefined {
  const request = planOutline(plan)
  const { onlyMainContent, includeTags, excludeTags } = plan.extract
  if (request === undefined || includeTags.length + excludeTags.length > 0) return undefined
  if (onlyMainContent && needsContent(request)) return undefined
  return streamOutline(input, plan.parse, request, limitDocument(input.body.length, plan.parse.maxDocumentLength))
}

function finish(read: ReadPage, input: ParserInput, plan: DigestPlan, code?: DigestCode): Digest {
  if (!plan.rewrite) return compareText(read, input, plan)
  const rewriter = openRewriter(plan.rewrite, code?.rewriters)
  const made = rewriteDigest(read.made, rewriter)
  // The snapshot may be one of a job that rewrote nothing.
  const { track } = plan
  const previous = rewriter.rewrite(track?.previous)
  const compared = track && { ...track, previous }
  const whole = compareText({ made, text: rewriter.rewrite(read.text) }, input, { ...plan, track: compared })
  return { ...whole, rewritten: rewriter.note() }
}

/** Rewrites a digest: all that may quote the page. */
export function rewriteDigest(read: Digest, rewriter: Rewriter): Digest {
  const { fingerprint, tells, facts, fidelity, tracked, links, ...quoting } = read
  // The content before the links: the first value that a reader meets has the first number.
  const made = rewriter.rewrite(quoting)
  return { ...made, links: keepLinks(links, rewriter), fingerprint, tells, facts, fidelity, tracked }
}

function compareText({ made, text }: ReadPage, input: ParserInput, plan: DigestPlan): Digest {
  // Called after the page's tree is unlinked: while the text is compared, the garbage collector need not move the tree.
  if (text === undefined) return made
  const limits = limitDocument(input.body.length, plan.parse.maxDocumentLength)
  const tracked = plan.track && follow(text, plan.track, limits)
  const lost =
    tracked?.shortened === undefined
      ? []
      : [limitWarning(tracked.shortened, 'changed blocks are without their outer headings', limits.part)]
  return {
    ...made,
    warnings: [...made.warnings, ...lost],
    fingerprint: plan.fingerprint ? takeFingerprint(text, input.url, made.metadata.title) : undefined,
    tracked,
  }
}

function follow(markdown: string, { previous, diff, pieces }: TrackPlan, { part }: DocumentLimits): Tracked {
  if (previous === undefined) return { markdown }
  const compared = compare(markdown, { previous, diff, maxHeadings: part })
  if (pieces === undefined || !compared.isChanged) return { markdown, ...compared }
  const [before, now] = [previous, markdown].map(
    (text) => fitChunks(chunkMarkdown(text, pieces), Math.max(text.length, part)).chunks,
  )
  return { markdown, ...compared, texts: { previous: before ?? [], current: now ?? [] } }
}

/** Extracts and converts a page. It is a generator so that the caller can yield to the event loop between two steps. */
function* readPage(
  parsed: ParsedPage,
  { body, unseen, sheets }: ParserInput,
  plan: DigestPlan,
  { treeTasks = {}, parts }: DigestCode = {},
): Generator<void, ReadPage> {
  const page = (unseen ?? sheets) === undefined ? parsed : { ...parsed, unseen, sheets }
  const limits = limitDocument(Math.max(body.length, page.sourceBytes ?? 0), plan.parse.maxDocumentLength)
  try {
    yield
    if (plan.query) {
      return { made: { ...NOTHING_MADE, answer: queryTree(page, plan.query, treeTasks) }, text: undefined }
    }
    const request = page.parts === undefined ? planOutline(plan) : undefined
    const outline = request && readOutline(page, { ...plan.extract, limits }, request)
    if (outline) return outline
    const keepsPage = plan.material !== undefined || readsPage(plan.convert, page.isFile !== undefined)
    const content = extract(page, { ...plan.extract, keepsPage, limits }, treeTasks)
    try {
      yield
      const { made, text } = convertPage(page, content, plan, parts)
      if (plan.material === undefined) return { made, text }
      const warnings = [...made.warnings]
      const warn = (warning: string): void => {
        if (!warnings.includes(warning)) warnings.push(warning)
      }
      return { made: { ...made, material: createEnrichInputs(content, plan.material, warn), warnings }, text }
    } finally {
      takeApart(content.tree.root)
      takeApart(content.page.tree.root)
    }
  } finally {
    takeApart(page.tree.root)
  }
}

function convertPage(
  page: ParsedPage,
  content: ExtractedPage,
  plan: DigestPlan,
  parts: readonly DigestPart[] | undefined,
): { made: Digest; text: string | undefined } {
  const warnings = [...page.warnings, ...content.warnings]
  const warn = (warning: string): void => {
    // Several formats may leave out the same.
    if (!warnings.includes(warning)) warnings.push(warning)
  }
  const { page: _, tree, resolver, limits, hiddenLinks, ...facts } = content
  const { fidelity, trace } = content
  const made = {
    ...facts,
    warnings,
    facts: page.facts,
    parts: page.parts && writeParts(content, plan.parse.pdf ?? {}, { settings: plan.convert, warn }),
  }
  const left = plan.drop && findPart(plan.drop, parts).find(content, plan.drop.learnt)
  if (!left || left.blocks.length === 0) {
    const fields = convert(content, plan.convert, warn)
    if (made.parts) placeBlocks(made.parts, fields.markdown)
    const all = { ...made, fields, tells: left?.tells }
    return { made: all, text: comparedText(content, fields, plan) }
  }
  // Compared before blocks are left out: otherwise, what was learnt since the last snapshot would count as changes.
  const text = isCompared(plan) ? comparedText(content, convert(content, plan.convert), plan) : undefined
  const dropped = dropBlocks(left.blocks)
  const fields = convert(content, plan.convert, warn)
  if (made.parts) placeBlocks(made.parts, fields.markdown)
  const all = {
    ...made,
    fields,
    tells: left.tells,
    dropped,
    fidelity: fidelity && withoutWords(fidelity, left.blocks),
    trace: trace && [...trace, ...dropped],
  }
  return { made: all, text }
}

const isCompared = ({ fingerprint, track }: DigestPlan): boolean => fingerprint === true || track !== undefined

function comparedText(content: ExtractedPage, fields: ConvertedFields, plan: DigestPlan): string | undefined {
  if (!isCompared(plan)) return undefined
  // Markdown made with options is not compared: front matter would make equal pages differ, and a cut hides
  // differences.
  const isPlain = plan.convert.formats.some((item) => isText(item) && Object.keys(item).length === 1)
  if (isPlain) return fields.markdown
  if (plan.track) return writeMarkdown(content, plan.convert)
  return content.page.markdown ?? treeToText(content.tree.root) ?? stripTags(content.tree.$.html())
}
