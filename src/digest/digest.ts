import { convert, type ConvertedFields, type ConvertPlan } from '../convert/convert.js'
import { extract } from '../extract/extract.js'
import type { DroppedBlock } from '../extract/dropped-block.js'
import type { ExtractPlan, ExtractedPage, FoundLink, HtmlMetadata } from '../extract/extracted-page.js'
import { type Fidelity, withoutWords } from '../extract/fidelity.js'
import type { LearntBlocks, PageBlocks } from '../extract/repeated-block.js'
import { dropBlocks, findRepeats } from '../extract/repeats.js'
import { parse } from '../parse/parse.js'
import type { ParseInput, ParsePlan } from '../parse/parser.js'
import { stripTags } from '../parse/strip-tags.js'
import { takeFingerprint, type Fingerprint } from './similarity.js'

/** What is made of a page: one slice for each of the three steps. */
export interface DigestPlan {
  readonly parse: ParsePlan
  readonly extract: ExtractPlan
  readonly convert: ConvertPlan
  /** Whether the content's fingerprint is taken: a crawl knows repeated content by it. @default false */
  readonly fingerprint?: boolean
  /** What other pages have taught to be boilerplate; when it is there, if empty, the page's own blocks are told. */
  readonly learnt?: readonly LearntBlocks[]
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
  readonly fidelity?: Fidelity
  readonly trace?: readonly DroppedBlock[]
}

/** Bytes to formats: pure CPU work, with no network, no clock and no tools. */
export function digest(input: ParseInput, plan: DigestPlan): Digest {
  const { made, text } = readPage(input, plan)
  // The page's tree is gone by now: it would be moved about while the fingerprint is taken.
  if (text === undefined) return made
  return { ...made, fingerprint: takeFingerprint(text, input.url, made.metadata.title) }
}

/** The digest, and the text to take a fingerprint of if one is wanted. */
function readPage(input: ParseInput, plan: DigestPlan): { made: Digest; text: string | undefined } {
  const page = parse(input, plan.parse)
  const content = extract(page, plan.extract)
  const warnings = [...page.warnings, ...content.warnings]
  const { fidelity, trace } = content
  const made = {
    metadata: content.metadata,
    links: content.links,
    warnings,
    ...(fidelity && { fidelity }),
    ...(trace && { trace }),
  }
  const warn = (warning: string): void => void warnings.push(warning)
  const repeats = plan.learnt === undefined ? undefined : findRepeats(content, plan.learnt)
  if (!repeats || repeats.learnt.length === 0) {
    const fields = convert(content, plan.convert, warn)
    const all = { ...made, fields, ...(repeats && { blocks: repeats.blocks }) }
    return { made: all, text: comparedText(content, fields, plan) }
  }
  // Pages are compared as they came: what was learnt between two of them must not make them differ.
  const text = plan.fingerprint === true ? comparedText(content, convert(content, plan.convert), plan) : undefined
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

function comparedText({ page, $ }: ExtractedPage, fields: ConvertedFields, plan: DigestPlan): string | undefined {
  if (plan.fingerprint !== true) return undefined
  // With options, Markdown is not the content alone: front matter would make pages differ, a cut make them the same.
  const isPlain = plan.convert.formats.some((item) => item.type === 'markdown' && Object.keys(item).length === 1)
  return (isPlain ? fields.markdown : page.markdown) ?? stripTags($.html())
}
