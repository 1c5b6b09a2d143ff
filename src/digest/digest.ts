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
import { queryTree, type TreeFindings, type TreeQuery } from './query-tree.js'
import { takeApart } from '../html/tree.js'
import { takeFingerprint, type Fingerprint } from '../text/fingerprint/similarity.js'

/** Plan of a digest: one slice for each of the three steps. */
export interface DigestPlan {
  readonly parse: ParsePlan
  readonly extract: ExtractPlan
  readonly convert: ConvertPlan
  /** True where the content's fingerprint is computed, for near-duplicates in a crawl. @default false */
  readonly fingerprint?: boolean
  /** Blocks that repeat over pages, to be dropped. Set, even if empty, where the digest lists the page's own blocks. */
  readonly learnt?: readonly LearntBlocks[]
  /** Set where the page is compared with its last snapshot, or kept as the next one. */
  readonly track?: TrackPlan
  /** Set where only the page's tree is queried: nothing else is made of the page. */
  readonly query?: TreeQuery
  /** Set where the inputs of formats of `enrich` are made as well. */
  readonly material?: MaterialPlan
}

/** Comparison of a page with its last snapshot. */
export interface TrackPlan {
  /** Markdown of the last snapshot; absent when there is none. */
  readonly previous?: string
  /** True where the differences are listed. */
  readonly diff: boolean
  /** Maximum number of tokens of a chunk; set where both versions are wanted in chunks. */
  readonly pieces?: number
}

/** Result of a page's comparison with its last snapshot. */
export interface Tracked extends Partial<Comparison> {
  /** Markdown of the whole content, whatever formats and learnt blocks: the `previous` of the next scrape. */
  readonly markdown: string
  /** Both versions in chunks; absent when they were not asked for, or the page has not changed. */
  readonly texts?: { readonly previous: readonly Chunk[]; readonly current: readonly Chunk[] }
}

/** Digest of a page. Plain data, so that it can cross from a worker thread. */
export interface Digest {
  readonly fields: ConvertedFields
  readonly metadata: HtmlMetadata
  readonly links: readonly FoundLink[]
  readonly warnings: readonly string[]
  readonly fingerprint?: Fingerprint
  /** Blocks of the content, before any was dropped. */
  readonly blocks?: PageBlocks
  /** Learnt blocks that were dropped; absent when none was. */
  readonly dropped?: readonly DroppedBlock[]
  readonly facts?: FileFacts
  /** Pages and blocks of a file, where they were asked for. */
  readonly parts?: PartFields
  readonly fidelity?: Fidelity
  readonly trace?: readonly DroppedBlock[]
  /** List of which the page shows only a part, as far as its tree tells. */
  readonly heldBack?: HeldBack
  readonly tracked?: Tracked
  readonly material?: EnrichInputs
  readonly findings?: TreeFindings
}

/** Parses, extracts and converts a page: from bytes to formats, without network, clock or tools. */
export function digest(input: ParserInput, plan: DigestPlan): Digest {
  const steps = readPage(parse(input, plan.parse), plan)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return finish(step.value, input, plan)
}

/** Digests a page or a file; parsing one such as a PDF file is asynchronous. */
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

/** An unfinished digest, and the text that the page is compared by, where that is wanted. */
interface ReadPage {
  readonly made: Digest
  readonly text: string | undefined
}

function finish({ made, text }: ReadPage, input: ParserInput, plan: DigestPlan): Digest {
  // The page's tree is unlinked by now; alive, it would be moved by the garbage collector while the text is worked on.
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

/** Extracts and converts a page. Yields between two steps. */
function* readPage(page: ParsedPage, plan: DigestPlan): Generator<void, ReadPage> {
  try {
    yield
    if (plan.query) {
      const findings = queryTree(page, plan.query)
      return { made: { ...NOTHING_MADE, findings }, text: undefined }
    }
    const content = extract(page, plan.extract)
    try {
      yield
      const { made, text } = convertPage(page, content, plan)
      if (plan.material === undefined) return { made, text }
      return { made: { ...made, material: createEnrichInputs(content, plan.material) }, text }
    } finally {
      unlinkTree(content.$)
    }
  } finally {
    unlinkTree(page.$)
  }
}

function unlinkTree($: ExtractedPage['$']): void {
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
  // Pages are compared with all their blocks: blocks learnt in between must not make two versions differ.
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
  // Markdown with options is not the content alone: front matter would make pages differ, a cut make them the same.
  const isPlain = plan.convert.formats.some((item) => item.type === 'markdown' && Object.keys(item).length === 1)
  if (isPlain) return fields.markdown
  if (plan.track) return convert(content, { ...plan.convert, formats: [{ type: 'markdown' }] }).markdown
  return content.page.markdown ?? stripTags(content.$.html())
}
