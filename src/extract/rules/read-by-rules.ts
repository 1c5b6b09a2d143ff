import type { Element } from '../../html/tree.js'
import { findBoilerplate } from './find-boilerplate.js'
import { findLinkLists } from './find-link-lists.js'
import { findHeader, findRoot, isMostlyProse } from './find-root.js'
import { type Holding, holdings } from './measure.js'
import type { PageKind } from '../blocks/page-kind.js'
import type { PageText, Region } from '../blocks/read-blocks.js'

/** What the rules of mark-up take for the main content of a page. */
export interface RulesReading {
  /** In document order, none inside another. */
  readonly roots: readonly Element[]
  readonly isDropped: (element: Element) => boolean
}

/** A page that calls itself an article, and has less prose than this share of its text, is a list of them. */
const ARTICLE_PROSE = 0.35

/** A result with less than this share of the page's text was a mistake. */
const MIN_TEXT = 0.04

/**
 * Finds the main content by the page's own evidence: what its mark-up says is navigation, advertising or comment is taken out
 * unless it holds too much of the page's prose, the content is the part that holds the rest, and an article gets its header back.
 * Where too little is left the page is read again without guessing, and then as a whole.
 *
 * @param isCleared what no reader sees
 */
export function readByRules(body: Element, isCleared: (element: Element) => boolean, said: PageKind): RulesReading {
  const whole = holdings(body, isCleared)
  const least = MIN_TEXT * whole(body).text
  const chosen = choose(body, isCleared, whole, said)
  if (chosen.text >= least) return chosen
  const dropped = findBoilerplate(body, isCleared, whole, 'other', 'by name')
  const isDropped = (element: Element): boolean => dropped.has(element) || isCleared(element)
  const left = holdings(body, isDropped)(body).text
  return { roots: [body], isDropped: left >= least ? isDropped : isCleared }
}

function choose(
  body: Element,
  isCleared: (element: Element) => boolean,
  whole: Holding,
  said: PageKind,
): RulesReading & { readonly text: number } {
  const dropped = findBoilerplate(body, isCleared, whole, said, 'by all signs')
  const isDropped = (element: Element): boolean => dropped.has(element) || isCleared(element)
  const rest = holdings(body, isDropped)
  const kind = said === 'article' && rest(body).prose < ARTICLE_PROSE * rest(body).text ? 'other' : said
  const root = findRoot(body, rest, kind)
  const roots = [...findHeader(root, body, rest), root]
  const text = roots.reduce((sum, part) => sum + rest(part).text, 0)
  if (kind === 'article' || (kind === 'other' && isMostlyProse(rest(root))))
    for (const element of findLinkLists(root, rest)) dropped.add(element)
  return { roots, isDropped, text }
}

/** What the rules say of each region: content 1, around it 0, no content -1. */
export function askRules(rules: RulesReading, { regions }: PageText): (region: Region) => number {
  const verdicts = new Int8Array(regions.length)
  const roots = new Set(rules.roots)
  for (const { at, element, parent } of regions) {
    const around = parent === undefined ? 0 : (verdicts[parent.at] ?? 0)
    const inRoot = around === 0 && roots.has(element) ? 1 : around
    verdicts[at] = inRoot === 1 && rules.isDropped(element) ? -1 : inRoot
  }
  return ({ at }) => verdicts[at] ?? 0
}
