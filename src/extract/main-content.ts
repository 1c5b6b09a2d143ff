import type { ParsedPage } from '../parse/parser.js'
import { type ChildNode, type Element, isElement, isText, type ParentNode } from '../tree.js'
import { chooseBlocks } from './choose-blocks.js'
import { readDocumentation } from './documentation.js'
import { explainDropped } from './explain-dropped.js'
import type { HtmlMetadata } from './extracted-page.js'
import { judgeBlocks } from './judge-blocks.js'
import { findPageKind } from './page-kind.js'
import { type Block, type PageText, type Region, readBlocks } from './read-blocks.js'
import { askRules, readByRules, type RulesReading } from './read-by-rules.js'

/** Which parts of a page are its main content. */
export interface MainContent {
  /** In document order, none inside another. */
  readonly roots: readonly Element[]
  readonly isDropped: (node: ChildNode) => boolean
  /** Why a part is not in it, in words. */
  readonly whyDropped: (node: ChildNode) => string
}

/**
 * Finds the main content by the page's own evidence: every block of text is judged by what it says, where it stands, what is
 * around it and what repeats; the rules of mark-up are one witness among others. What is kept is the choice of which
 * most is to be expected. Code and tables stay whole. Documentation that names its generator is kept as that has marked it up.
 *
 * @param isCleared what no reader sees
 */
export function findMainContent(
  page: ParsedPage,
  metadata: HtmlMetadata,
  body: Element,
  isCleared: (element: Element) => boolean,
): MainContent {
  const documentation = readDocumentation(page, body, isCleared)
  if (documentation !== undefined) return documentation
  const kind = findPageKind(page)
  const rules = readByRules(body, isCleared, kind)
  const read = readBlocks(body, isCleared)
  const verdictOf = askRules(rules, read)
  const chances = judgeBlocks({ page, metadata, read, kind, verdictOf })
  const kept = new Set(chooseBlocks({ read, chances, verdictOf, kind }))
  const isDropped = dropOthers({ read, kept, isCleared, rules, verdictOf })
  return { roots: [findRoot(body, isDropped)], isDropped, whyDropped: explainDropped(read, chances, verdictOf) }
}

interface Choice {
  readonly read: PageText
  readonly kept: ReadonlySet<Block>
  readonly isCleared: (element: Element) => boolean
  readonly rules: RulesReading
  readonly verdictOf: (region: Region) => number
}

/** Fields and buttons, which stand in the midst of a text and are none of it. */
const CONTROLS: ReadonlySet<string> = new Set(['button', 'select', 'textarea', 'input', 'label'])

/** All but the way to a kept block; what has no text goes with what is around it. */
function dropOthers({
  read: { blocks, regionOf },
  kept,
  isCleared,
  rules,
  verdictOf,
}: Choice): (node: ChildNode) => boolean {
  const dropped = new Set<ChildNode>()
  const keptText = new Map<ChildNode, number>()
  const text = new Map<ChildNode, number>()
  for (const block of blocks)
    for (const node of block.nodes) {
      if (!kept.has(block)) dropped.add(node)
      text.set(node, node.data.length)
      keptText.set(node, kept.has(block) ? node.data.length : 0)
    }
  sumUp(text, keptText, [...regionOf.keys()])
  const isAroundRoot = findAround(rules.roots)
  const isMostlyKept = new Map<ChildNode, boolean>()
  // Children stand after their parents.
  for (const [element, region] of regionOf) {
    const all = text.get(element) ?? 0
    const part = keptText.get(element) ?? 0
    const { parent } = element
    const around = parent !== null && isElement(parent) ? (isMostlyKept.get(parent) ?? true) : true
    // Beside what holds the text there are logos and the like.
    const isBeside = parent !== null && isAroundRoot.has(parent) && !isAroundRoot.has(element)
    const isAlong = around && !isBeside && !rules.isDropped(element)
    // A picture belongs to the text that it stands in, also where its caption does not.
    const isFigure = element.name === 'figure' && region.images > 0 && (isAlong || verdictOf(region) === 1)
    isMostlyKept.set(element, isFigure || (all > 0 ? part >= 0.5 * all : isAlong))
    const isKept = isFigure || (all > 0 ? part > 0 : isAlong)
    if (!isKept || (CONTROLS.has(element.name) && rules.isDropped(element))) dropped.add(element)
  }
  return (node) => dropped.has(node) || (isElement(node) ? isCleared(node) : !isText(node))
}

/** All that the roots lie in. */
function findAround(roots: readonly Element[]): ReadonlySet<ChildNode | ParentNode> {
  const around = new Set<ChildNode | ParentNode>()
  for (const root of roots)
    for (let at: ParentNode | null = root.parent; at !== null && !around.has(at); at = isElement(at) ? at.parent : null)
      around.add(at)
  return around
}

/** What lies in an element counts for all around it. */
function sumUp(text: Map<ChildNode, number>, kept: Map<ChildNode, number>, elements: readonly Element[]): void {
  for (let at = elements.length - 1; at >= 0; at -= 1) {
    const element = elements[at]
    if (element === undefined) continue
    let all = 0
    let part = 0
    for (const child of element.children) {
      all += text.get(child) ?? 0
      part += kept.get(child) ?? 0
    }
    text.set(element, all)
    kept.set(element, part)
  }
}

/** Elements that only hold others together. */
const WRAPPERS: ReadonlySet<string> = new Set(['body', 'div', 'main', 'section', 'article', 'form', 'center'])

/** The innermost wrapper around all that is kept. */
function findRoot(body: Element, isDropped: (node: ChildNode) => boolean): Element {
  for (let at = body; ;) {
    const parts = at.children.filter(
      (child) => (isText(child) ? child.data.trim() !== '' : isElement(child)) && !isDropped(child),
    )
    const [part] = parts
    if (parts.length !== 1 || part === undefined || !isElement(part) || !WRAPPERS.has(part.name)) return at
    at = part
  }
}
