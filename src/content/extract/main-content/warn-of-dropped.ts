import { listNodes, type PageNodes } from '../../html/page-nodes.js'
import { type ChildNode, type Element, isText } from '../../html/tree.js'
import type { Block, Region } from '../blocks/block.js'
import { readBlocks } from '../blocks/read-blocks.js'
import { type Fidelity, type VisibleChoice, visitVisible } from '../fidelity/fidelity.js'
import type { MainContent } from './main-content.js'
import { boilerplateByTag, boilerplateKind } from '../rules/boilerplate.js'

/**
 * Maximum share of a page's text that is in the content, and minimum words that were left out, for a warning. On the
 * quality collection, 5 of 1,849 pages have one: three products without their reviews and sections, and two articles
 * with far longer texts of others below.
 */
const MAX_KEPT_SHARE = 1 / 3
const MIN_DROPPED_WORDS = 150

/** Maximum share of all visible words for the text to be examined. */
const MAX_KEPT_WORDS = 0.4

/** Share of a page's text in an element that is no boilerplate, whatever its markup declares. */
const MIN_CONTENT_SHARE = 0.5

/** Maximum share of links in a line of text. */
const MAX_LINK_SHARE = 0.3

/**
 * Warns if most of a page's text was left out. Text is what has sentences, outside of links and of what the markup
 * declares boilerplate, such as menus and comments.
 *
 * @param cleared elements that are not visible
 */
export function warnOfDropped(
  body: Element,
  cleared: ReadonlySet<Element>,
  choice: VisibleChoice & Pick<MainContent, 'read'>,
  { words = 1, nodes = listNodes(body) }: Fidelity & { readonly nodes?: PageNodes },
): string | undefined {
  if (words > MAX_KEPT_WORDS) return undefined
  const keptNodes = new Set<ChildNode>()
  visitVisible(body, cleared, choice, { visit: addKept, state: keptNodes })
  const { blocks, regions } = choice.read ?? readBlocks(body, cleared, nodes)
  const isFramed = findFrame(regions)
  let kept = 0
  let dropped = 0
  for (const block of blocks) {
    if (block.nodes.some((node) => keptNodes.has(node))) kept += block.words
    else if (isRunningText(block) && !isFramed(block.region)) dropped += block.words
  }
  const share = kept / (kept + dropped)
  if (dropped < MIN_DROPPED_WORDS || share > MAX_KEPT_SHARE) return undefined
  return (
    `Only ${Math.round(100 * share)}% of the page's text is in the content: ${Math.round(dropped)} words outside of menus, headers ` +
    'and footers were left out. `onlyMainContent: false` gives the whole page, `trace` lists what was left out.'
  )
}

function addKept(node: ChildNode, isKept: boolean, _isInCode: boolean, kept: Set<ChildNode>): void {
  if (isKept && isText(node)) kept.add(node)
}

const isRunningText = ({ isProse, link, text }: Block): boolean => isProse && link <= MAX_LINK_SHARE * text.length

/** @param share share of the page's text in the element */
function isBoilerplate(element: Element, share: number): boolean {
  const kind = share < MIN_CONTENT_SHARE ? boilerplateKind(element) : boilerplateByTag(element)
  return kind !== undefined && (share < MIN_CONTENT_SHARE || kind === 'navigation' || kind === 'footer')
}

/** Returns a test for regions in boilerplate. */
function findFrame(regions: readonly Region[]): (region: Region) => boolean {
  const framed = new Uint8Array(regions.length)
  const all = regions[0]?.text ?? 0
  // Parents stand before their children.
  for (const { at, element, parent, text } of regions)
    framed[at] = (parent !== undefined && framed[parent.at] === 1) || isBoilerplate(element, text / all) ? 1 : 0
  return ({ at }) => framed[at] === 1
}
