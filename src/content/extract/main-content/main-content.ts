import type { ParsedPage } from '../../parse/parser.js'
import type { PageNodes } from '../../html/page-nodes.js'
import {
  type ChildNode,
  type Element,
  findElement,
  isElement,
  isImage,
  isText,
  type NodeSet,
  type ParentNode,
} from '../../html/tree.js'
import { hasSource } from '../../html/image-source.js'
import { clearControls, MAY_BE_CONTROL } from './clear-controls.js'
import { chooseBlocks } from '../selection/choose-blocks.js'
import { applyRules, type Verdicts } from '../selection/content-rule.js'
import { LAST_STEPS, PAGE_RULES } from '../selection/page-rules.js'
import { findCopies } from '../selection/copies.js'
import { readDocumentation } from '../documentation/documentation.js'
import { explainDropped } from '../selection/explain-dropped.js'
import type { HtmlMetadata } from '../extracted-page.js'
import type { JudgedContent } from '../measures/build-features.js'
import { predictContent } from './predict-content.js'
import { keepBesidePanels } from '../selection/keep-beside-panels.js'
import { keepShownParts } from '../selection/keep-shown-parts.js'
import { findPageKind, type ContentKind } from '../blocks/page-kind.js'
import type { Block, Region } from '../blocks/block.js'
import { type TextBlocks, readBlocks } from '../blocks/read-blocks.js'
import { isAdvertisement } from '../rules/advertisement.js'
import { createVerdictOf, selectByRules, type RulesSelection } from '../rules/select-by-rules.js'

/** The main content of a page. */
export interface MainContent {
  /** In document order, none inside another. */
  readonly roots: readonly Element[]
  readonly dropped: NodeSet
  /** Returns the reason why a part is dropped, for the trace; empty if no verdicts were recorded. */
  readonly whyDropped: (node: ChildNode) => string
  /** Blocks of the page's text; absent if they were not needed. */
  readonly read?: TextBlocks
}

/** A page to find the main content of. */
export interface ContentSource {
  readonly page: ParsedPage
  readonly nodes: PageNodes
  readonly metadata: HtmlMetadata
  readonly body: Element
  /** Elements that are hidden or match `excludeTags`. */
  readonly cleared: ReadonlySet<Element>
  /** Hidden elements that a control on the page opens; they are not cleared. */
  readonly panels: ReadonlySet<Element>
  /** Get the last verdict on each block of the page, for the trace. @default nothing is recorded */
  readonly verdicts?: Verdicts
}

/**
 * Finds the main content of a page. Documentation of a known generator is selected by the generator's own markup, and every
 * other page by a learnt model.
 */
export function findMainContent(source: ContentSource): MainContent {
  const { body, nodes, verdicts } = source
  const mayBeControl = (nodes.flags & MAY_BE_CONTROL) !== 0
  const cleared = mayBeControl ? clearControls(body, nodes, source.cleared, verdicts) : source.cleared
  const rest = cleared === source.cleared ? source : { ...source, cleared }
  return readDocumentation(rest) ?? selectContent(rest, predictContent)
}

/** Predicts for each block of a page the probability that it is main content, 0 to 1. */
export type Predict = (source: JudgedContent) => Float64Array

/**
 * Selects the main content of a page by predictions. The learnt model predicts for every block of text how likely it is content,
 * from its text, its position, its surroundings and repetition; the verdict of the markup rules is one feature of many. The kept
 * blocks are the choice with the best expected F1. Code listings and tables are kept or dropped as a whole.
 */
export function selectContent(
  { page, nodes, metadata, body, cleared, panels, verdicts }: ContentSource,
  predict: Predict,
): MainContent {
  const kind = findPageKind(page, nodes)
  const reading = { page, nodes, metadata, body, kind, predict }
  const choice = choose({ ...reading, cleared }, verdicts)
  const { read, rules, probabilities, verdictOf } = choice
  const whyDropped = verdicts === undefined ? NO_REASON : explainDropped(read, verdicts)
  const kept =
    panels.size === 0
      ? choice.kept
      : keepBesidePanels(choice, panels, () => choose({ ...reading, cleared: new Set([...cleared, ...panels]) }))
  verdicts?.recordChanges(LAST_STEPS.besidePanels, read.blocks, choice.kept, kept)
  // A page of images or tables alone has no text to predict from. All of it is kept.
  if (kept.size === 0 && read.blocks.every(({ region }) => isInTable(region))) {
    verdicts?.recordChanges(LAST_STEPS.tablesAlone, read.blocks, kept, new Set(read.blocks))
    return { roots: [body], dropped: cleared, whyDropped, read }
  }
  const allElse = keepShownParts({ read, kept, probabilities, cleared, verdicts })
  if (allElse !== undefined) return { roots: [findRoot(body, allElse)], dropped: allElse, whyDropped, read }
  const copies = new Set(findCopies(read.blocks, kept, kind))
  if (verdicts !== undefined)
    for (const block of copies) verdicts.record(block, { rule: LAST_STEPS.copy, isKept: false })
  const dropped = dropOthers({ nodes, read, kept, copies, cleared, rules, verdictOf, verdicts })
  return { roots: [findRoot(body, dropped)], dropped, whyDropped, read }
}

const NO_REASON = (): string => ''

interface Reading {
  readonly page: ParsedPage
  readonly nodes: PageNodes
  readonly metadata: HtmlMetadata
  readonly body: Element
  readonly kind: ContentKind
  readonly cleared: ReadonlySet<Element>
  readonly predict: Predict
}

/** A page as read, and the choice of its blocks with the inputs of that choice. */
interface Judged {
  readonly read: TextBlocks
  readonly rules: RulesSelection
  readonly probabilities: Float64Array
  readonly verdictOf: (region: Region) => number
  readonly kept: ReadonlySet<Block>
}

function choose({ page, nodes, metadata, body, kind, cleared, predict }: Reading, verdicts?: Verdicts): Judged {
  const rules = selectByRules(body, cleared, kind, nodes)
  const read = readBlocks(body, cleared, nodes)
  const verdictOf = createVerdictOf(rules, read)
  const probabilities = predict({ page, metadata, read, kind, verdictOf })
  const kept = new Set(chooseBlocks({ url: page.url, read, probabilities, verdictOf, kind }, verdicts))
  applyRules(PAGE_RULES, { page, nodes, read, metadata, url: page.url }, kept, verdicts)
  return { read, rules, probabilities, verdictOf, kept }
}

function isInTable(region: Region): boolean {
  for (let at: Region | undefined = region; at !== undefined; at = at.parent)
    if (at.element.name === 'table') return true
  return false
}

interface Choice {
  readonly nodes: PageNodes
  readonly read: TextBlocks
  readonly kept: ReadonlySet<Block>
  /** Kept blocks that repeat others, and are dropped without their surroundings. */
  readonly copies: ReadonlySet<Block>
  readonly cleared: ReadonlySet<Element>
  readonly rules: RulesSelection
  readonly verdictOf: (region: Region) => number
  readonly verdicts: Verdicts | undefined
}

const MAY_ADVERTISE: ReadonlySet<string> = new Set(['a', 'img', 'iframe'])

/** Form fields and buttons, which may stand within a text but are no part of it. */
const CONTROLS: ReadonlySet<string> = new Set(['button', 'select', 'textarea', 'input', 'label'])

/** Minimum share of an element's text that is kept for contents without text to be kept as well. */
const MIN_KEPT_SHARE = 0.5

/**
 * Drops everything but the kept blocks and their ancestors. An element without text is kept or dropped with its
 * surroundings.
 */
function dropOthers({ nodes, read, kept, copies, cleared, rules, verdictOf, verdicts }: Choice): NodeSet {
  const { blocks, regions, regionOf } = read
  const dropped = createNodeSet(nodes, cleared)
  const keptText = new Float64Array(regions.length)
  const text = new Float64Array(regions.length)
  const copied = new Float64Array(regions.length)
  /** Text in figures. */
  const captions = new Float64Array(regions.length)
  for (const block of blocks) {
    const isCopy = copies.has(block)
    const isBlockKept = kept.has(block)
    for (const node of block.nodes) {
      if (!isBlockKept || isCopy) dropped.add(node)
      const { parent } = node
      const at = parent !== null && isElement(parent) ? (regionOf.get(parent)?.at ?? 0) : 0
      // The images beside a copy are judged as if it was kept.
      if (isCopy) copied[at] = (copied[at] ?? 0) + node.data.length
      text[at] = (text[at] ?? 0) + node.data.length
      if (isBlockKept) keptText[at] = (keptText[at] ?? 0) + node.data.length
    }
  }
  sumUp(text, regions)
  sumUp(keptText, regions)
  sumUp(copied, regions)
  for (const { at, element } of regions) if (element.name === 'figure') captions[at] = text[at] ?? 0
  sumUpOutermost(captions, regions)
  const isAroundRoot = findAround(rules.roots)
  // Siblings of the element that contains the text are logos and the like.
  const isBeside = (element: Element): boolean =>
    element.parent !== null && isAroundRoot.has(element.parent) && !isAroundRoot.has(element)
  const isMostlyKept = new Uint8Array(regions.length)
  for (const region of regions) {
    const { at, element } = region
    const all = text[at] ?? 0
    const part = keptText[at] ?? 0
    const around = region.parent === undefined || isMostlyKept[region.parent.at] === 1
    // The picture or pictures in an element with nothing else belong to the text around it, even if their captions are dropped.
    const isGallery = all > 0 && region.link === 0 && captions[at] === all && hasPictures(region)
    const hasFigure = region.images > 0 && (element.name === 'figure' || isGallery)
    const isAlong = around && (all === 0 || hasFigure) && !isBeside(element) && !rules.dropped.has(element)
    // An image belongs to the text around it, even if its caption is dropped.
    const isFigure = hasFigure && (isAlong || (element.name === 'figure' && verdictOf(region) === 1))
    if (isFigure || (all > 0 ? part >= MIN_KEPT_SHARE * all : isAlong)) isMostlyKept[at] = 1
    const isEmptied = part > 0 && part === copied[at] && region.images === 0
    const isKept =
      isFigure ||
      (all > 0 ? part > 0 && !isEmptied : isAlong && !(MAY_ADVERTISE.has(element.name) && isAdvertisement(element)))
    if (!isKept) dropped.add(element)
    else if (CONTROLS.has(element.name) && rules.dropped.has(element)) {
      dropped.add(element)
      verdicts?.recordElement(element, LAST_STEPS.formControl)
    }
  }
  return dropped
}

/** True for several images, or one that shows more than a placeholder. */
function hasPictures({ images, element }: Region): boolean {
  if (images !== 1) return images > 1
  const image = findElement(element, isImage)
  return image !== undefined && hasSource(image)
}

/** Creates a set of nodes of a page. With its thousands of nodes, a `Set` would take several times as long. */
function createNodeSet(
  nodes: PageNodes,
  marked: Iterable<ChildNode>,
): NodeSet & { readonly add: (node: ChildNode) => void } {
  const marks = nodes.mark(marked)
  return {
    add: (node) => {
      const at = nodes.indexOf(node)
      if (at !== -1) marks[at] = 1
    },
    has: (node) => {
      const at = nodes.indexOf(node)
      return at !== -1 && marks[at] === 1
    },
  }
}

/** Returns all ancestors of the roots. */
function findAround(roots: readonly Element[]): ReadonlySet<ChildNode | ParentNode> {
  const around = new Set<ChildNode | ParentNode>()
  for (const root of roots)
    for (let at: ParentNode | null = root.parent; at !== null && !around.has(at); at = isElement(at) ? at.parent : null)
      around.add(at)
  return around
}

/** Adds the amount of each region to all regions around it. */
function sumUp(amounts: Float64Array, regions: readonly Region[]): void {
  for (let at = regions.length - 1; at > 0; at -= 1) {
    const around = regions[at]?.parent?.at ?? 0
    amounts[around] = (amounts[around] ?? 0) + (amounts[at] ?? 0)
  }
}

/** Adds the amount of each region to the regions around it that have none of their own. */
function sumUpOutermost(amounts: Float64Array, regions: readonly Region[]): void {
  for (let at = regions.length - 1; at > 0; at -= 1) {
    const around = regions[at]?.parent
    if (around !== undefined && around.element.name !== 'figure')
      amounts[around.at] = (amounts[around.at] ?? 0) + (amounts[at] ?? 0)
  }
}

/** Elements that only group others. */
const WRAPPERS: ReadonlySet<string> = new Set(['body', 'div', 'main', 'section', 'article', 'form', 'center'])

/** Returns the innermost wrapper around all kept parts. */
function findRoot(body: Element, dropped: NodeSet): Element {
  for (let at = body; ;) {
    const parts = at.children.filter(
      (child) => (isText(child) ? child.data.trim() !== '' : isElement(child)) && !dropped.has(child),
    )
    const [part] = parts
    if (parts.length !== 1 || part === undefined || !isElement(part) || !WRAPPERS.has(part.name)) return at
    at = part
  }
}
