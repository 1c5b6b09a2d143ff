import { listNodes, type PageNodes } from '../../html/page-nodes.js'
import type { Element } from '../../html/tree.js'
import { findBoilerplate } from './find-boilerplate.js'
import { findLinkLists } from './find-link-lists.js'
import { findHeader, findRoot, isMostlyProse } from './find-root.js'
import { type MeasureOf, createMeasureOf } from './measure.js'
import type { ContentKind } from '../blocks/page-kind.js'
import type { Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/** The main content of a page by the markup rules. */
export interface RulesSelection {
  /** In document order, none inside another. */
  readonly roots: readonly Element[]
  readonly dropped: ReadonlySet<Element>
}

/**
 * Minimum share of prose in the text of an article. A page with less that declares itself an article is a list of
 * articles.
 */
const MIN_ARTICLE_PROSE = 0.35

/** Minimum share of the page's text in a plausible result. */
const MIN_TEXT = 0.04

/**
 * Finds the main content by the page's markup. The thresholds of the rules are set by hand. The verdict is a feature
 * of the learnt model, so that a change needs `npm run learn:content`, and `npm run bench:quality` shows its effect.
 * Elements marked as navigation, advertising or comments are dropped unless they contain too much of the page's prose;
 * the content is the part with the rest; an article gets its header back. If too little is left, only tags and roles
 * are used, and then the whole page is kept.
 *
 * @param cleared elements that are not visible
 * @param nodes nodes of the page. @default they are listed
 */
export function selectByRules(
  body: Element,
  cleared: ReadonlySet<Element>,
  declaredKind: ContentKind,
  nodes: PageNodes = listNodes(body),
): RulesSelection {
  const whole = createMeasureOf(body, cleared, nodes)
  const least = MIN_TEXT * whole(body).text
  const chosen = choose({ body, cleared, nodes }, whole, declaredKind)
  if (chosen.text >= least) return chosen
  const boilerplate = findBoilerplate({ body, cleared, measureOf: whole, kind: 'other', signs: 'tags' })
  const dropped = new Set([...cleared, ...boilerplate])
  const left = createMeasureOf(body, dropped, nodes)(body).text
  return { roots: [body], dropped: left >= least ? dropped : cleared }
}

interface Page {
  readonly body: Element
  readonly cleared: ReadonlySet<Element>
  readonly nodes: PageNodes
}

function choose(
  { body, cleared, nodes }: Page,
  whole: MeasureOf,
  declaredKind: ContentKind,
): RulesSelection & { readonly text: number } {
  const boilerplate = findBoilerplate({ body, cleared, measureOf: whole, kind: declaredKind, signs: 'all' })
  const dropped = new Set([...cleared, ...boilerplate])
  const rest = createMeasureOf(body, dropped, nodes)
  const kind =
    declaredKind === 'article' && rest(body).prose < MIN_ARTICLE_PROSE * rest(body).text ? 'other' : declaredKind
  const root = findRoot(body, rest, kind)
  const roots = [...findHeader(root, body, rest), root]
  const text = roots.reduce((sum, part) => sum + rest(part).text, 0)
  if (kind === 'article' || (kind === 'other' && isMostlyProse(rest(root))))
    for (const element of findLinkLists(root, rest)) dropped.add(element)
  return { roots, dropped, text }
}

/** Returns the rules' verdict on each region: 1 for content, 0 for text around it, -1 for boilerplate. */
export function createVerdictOf(rules: RulesSelection, { regions }: TextBlocks): (region: Region) => number {
  const verdicts = new Int8Array(regions.length)
  const roots = new Set(rules.roots)
  for (const { at, element, parent } of regions) {
    const around = parent === undefined ? 0 : (verdicts[parent.at] ?? 0)
    const inRoot = around === 0 && roots.has(element) ? 1 : around
    verdicts[at] = inRoot === 1 && rules.dropped.has(element) ? -1 : inRoot
  }
  return ({ at }) => verdicts[at] ?? 0
}
