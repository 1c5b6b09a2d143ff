import { compare, type Comparison } from '../compare/compare.js'
import { convert, type ConvertedFields, type ConvertPlan } from '../convert/convert.js'
import { extract } from '../extract/extract.js'
import type { DroppedBlock } from '../extract/fidelity/dropped-block.js'
import type { ExtractPlan, ExtractedPage, FoundLink, HtmlMetadata } from '../extract/extracted-page.js'
import type { HeldBack } from '../extract/fidelity/find-more-of-list.js'
import { type Fidelity, withoutWords } from '../extract/fidelity/fidelity.js'
import type { LearntBlocks, PageBlocks } from '../extract/repeats/repeated-block.js'
import { dropBlocks, findRepeats } from '../extract/repeats/repeats.js'
import { chunkMarkdown, type Chunk } from '../convert/split/chunk-markdown.js'
import { type PartFields, writeParts } from '../convert/write/write-parts.js'
import { parse, parseFile } from '../parse/parse.js'
import type { FileFacts, FileTools, ParserInput, ParsedPage, ParsePlan } from '../parse/parser.js'
import { stripTags } from '../parse/html/strip-tags.js'
import { createEnrichInputs, type MaterialPlan, type EnrichInputs } from './enrich-inputs.js'
import { queryTree, type Probed, type ProbePlan } from './query-tree.js'
import { takeApart } from '../html/tree.js'
import { takeFingerprint, type Fingerprint } from '../text/fingerprint/similarity.js'

/** What is made of a page: one slice for each of the three steps. */
export interface DigestPlan {
  readonly parse: ParsePlan
  readonly extract: ExtractPlan
  readonly convert: ConvertPlan
  /** Whether the content's fingerprint is taken: a crawl knows repeated content by it. @default false */
  readonly fingerprint?: boolean
  /** What other pages have taught to be boilerplate; when it is there, if empty, the page's own blocks are told. */
  readonly learnt?: readonly LearntBlocks[]
  /** When it is there, the page's changes are followed. */
  readonly track?: TrackPlan
  /** When it is there, this is all that is made of the page. */
  readonly probe?: ProbePlan
  /** When it is there, what formats that are no conversion are made of is told as well. */
  readonly material?: MaterialPlan
}

/** How a page's changes are followed. */
export interface TrackPlan {
  /** The page's Markdown as it was; absent when it was not seen before. */
  readonly previous?: string
  /** Whether the differences are told. */
  readonly diff: boolean
  /** The most tokens of a piece, when both are wanted in pieces. */
  readonly pieces?: number
}

/** What a page is compared by from one scrape to the next. */
export interface Tracked extends Partial<Comparison> {
  /** The whole content, whatever was asked for and learnt: the next scrape's `previous`. */
  readonly markdown: string
  /** The page as it was and as it is, in pieces; absent when they were not asked for, or it is not changed. */
  readonly texts?: { readonly previous: readonly Chunk[]; readonly current: readonly Chunk[] }
}

/** What a page came to: plain data, so that it can cross from a worker thread. */
export interface Digest {
  readonly fields: ConvertedFields
  readonly metadata: HtmlMetadata
  readonly links: readonly FoundLink[]
  readonly warnings: readonly string[]
  readonly fingerprint?: Fingerprint
  /** The content's blocks, before any was dropped. */
  readonly blocks?: PageBlocks
  /** The learnt blocks that were dropped; absent when none was. */
  readonly dropped?: readonly DroppedBlock[]
  readonly facts?: FileFacts
  /** The parts of a file by themselves, where they were asked for. */
  readonly parts?: PartFields
  readonly fidelity?: Fidelity
  readonly trace?: readonly DroppedBlock[]
  /** A list of which the page holds back a part, as far as its tree tells. */
  readonly heldBack?: HeldBack
  readonly tracked?: Tracked
  readonly material?: EnrichInputs
  readonly probed?: Probed
}

/** Bytes to formats: pure CPU work, with no network, no clock and no tools. */
export function digest(input: ParserInput, plan: DigestPlan): Digest {
  const steps = readPage(parse(input, plan.parse), plan)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return finish(step.value, input, plan)
}

/** The same for whatever takes its time to be parsed as well, a PDF file for one. */
export async function digestFile(input: ParserInput, plan: DigestPlan, tools?: FileTools): Promise<Digest> {
  const steps = readPage(await parseFile(input, plan.parse, tools), plan)
  try {
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) await tools?.takeTurn?.()
    return finish(step.value, input, plan)
  } finally {
    steps.return({ made: NOTHING_MADE, text: undefined })
  }
}

const NOTHING_MADE: Digest = { fields: {}, metadata: {}, links: [], warnings: [] }

/** A digest in the making, and the text to compare the page by if that is wanted. */
interface ReadPage {
  readonly made: Digest
  readonly text: string | undefined
}

function finish({ made, text }: ReadPage, input: ParserInput, plan: DigestPlan): Digest {
  // The page's tree is gone by now: it would be moved about while the text is worked on.
  if (text === undefined) return made
  return {
    ...made,
    ...(plan.fingerprint && { fingerprint: takeFingerprint(text, input.url, made.metadata.title) }),
    ...(plan.track && { tracked: follow(text, plan.track) }),
  }
}

function follow(markdown: string, { previous, diff, pieces }: TrackPlan): Tracked {
  if (previous === undefined) return { markdown }
  const compared = compare(markdown, { previous, diff })
  if (pieces === undefined || !compared.isChanged) return { markdown, ...compared }
  const [before, now] = [previous, markdown].map((text) => chunkMarkdown(text, pieces))
  return { markdown, ...compared, texts: { previous: before ?? [], current: now ?? [] } }
}

/** Extracts and converts; it stops between two steps. */
function* readPage(page: ParsedPage, plan: DigestPlan): Generator<void, ReadPage> {
  try {
    yield
    if (plan.probe) {
      const probed = queryTree(page, plan.probe)
      return { made: { ...NOTHING_MADE, probed }, text: undefined }
    }
    const content = extract(page, plan.extract)
    try {
      yield
      const { made, text } = convertPage(page, content, plan)
      if (plan.material === undefined) return { made, text }
      return { made: { ...made, material: createEnrichInputs(content, plan.material) }, text }
    } finally {
      letGo(content.$)
    }
  } finally {
    letGo(page.$)
  }
}

function letGo($: ExtractedPage['$']): void {
  for (const root of $.root()) takeApart(root)
}

function convertPage(
  page: ParsedPage,
  content: ExtractedPage,
  plan: DigestPlan,
): { made: Digest; text: string | undefined } {
  const warnings = [...page.warnings, ...content.warnings]
  const { fidelity, trace, heldBack } = content
  const made = {
    metadata: content.metadata,
    links: content.links,
    warnings,
    ...(page.facts && { facts: page.facts }),
    ...(page.parts && { parts: writeParts(content, plan.parse.pdf ?? {}, plan.convert) }),
    ...(fidelity && { fidelity }),
    ...(trace && { trace }),
    ...(heldBack && { heldBack }),
  }
  const warn = (warning: string): void => void warnings.push(warning)
  const repeats = plan.learnt === undefined ? undefined : findRepeats(content, plan.learnt)
  if (!repeats || repeats.learnt.length === 0) {
    const fields = convert(content, plan.convert, warn)
    const all = { ...made, fields, ...(repeats && { blocks: repeats.blocks }) }
    return { made: all, text: comparedText(content, fields, plan) }
  }
  // Pages are compared as they came: what was learnt between two of them must not make them differ.
  const text = isCompared(plan) ? comparedText(content, convert(content, plan.convert), plan) : undefined
  const dropped = dropBlocks(repeats.learnt)
  const all = {
    ...made,
    fields: convert(content, plan.convert, warn),
    blocks: repeats.blocks,
    dropped,
    ...(fidelity && { fidelity: withoutWords(fidelity, repeats.learnt) }),
    ...(trace && { trace: [...trace, ...dropped] }),
  }
  return { made: all, text }
}

const isCompared = ({ fingerprint, track }: DigestPlan): boolean => fingerprint === true || track !== undefined

function comparedText(content: ExtractedPage, fields: ConvertedFields, plan: DigestPlan): string | undefined {
  if (!isCompared(plan)) return undefined
  // With options, Markdown is not the content alone: front matter would make pages differ, a cut make them the same.
  const isPlain = plan.convert.formats.some((item) => item.type === 'markdown' && Object.keys(item).length === 1)
  if (isPlain) return fields.markdown
  if (plan.track) return convert(content, { ...plan.convert, formats: [{ type: 'markdown' }] }).markdown
  return content.page.markdown ?? stripTags(content.$.html())
}
