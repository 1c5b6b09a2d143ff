import { type Element, collapse, findElement, isElement, textOf, walk } from '../tree.js'
import type { Holding } from './measure.js'

/** What a link to the page before or after is called, without the signs around it. */
const STEP = /^(?:prev|previous|next|back|forward)(?: (?:page|chapter|section|topic|node|part))?$/i
const STEP_SIGN = /^\[?\s*(?:<<?|>>?|[«»‹›←→⇐⇒◀▶⟵⟶])\s*\]?$/

/** What stands beside it. */
const PLACE = /^(?:up|home|top|first|last|contents|(?:table of )?contents|toc|(?:general )?index|start|about|\?)$/i

/** A bar of ways has no more text than this: the titles of the pages that it leads to. Characters. */
const MOST_TEXT = 600

const PARTS_OF_TABLES: ReadonlySet<string> = new Set(['tr', 'td', 'th', 'tbody', 'thead', 'tfoot'])

/**
 * The bars with the ways to the pages before, after and above, as books in HTML have them over and under their text: "Prev Up Home
 * Next", `[ << ] [ < ] [ Up ] [ > ]`. Found by the links themselves: by their relation, or by what they are called.
 *
 * @returns the outermost elements that hold nothing else
 */
export function findWaysOn(body: Element, isCleared: (element: Element) => boolean, held: Holding): Element[] {
  const steps = new Map<Element, number>()
  const ways = new Map<Element, number>()
  walk(body, (node) => {
    if (!isElement(node) || isCleared(node)) return false
    if (node.name !== 'a' || node.attribs['href'] === undefined) return true
    const kind = wayOf(node)
    if (kind !== undefined) {
      // Counted in all that may be a bar around it, and no further: a page may be deep.
      for (let at = parentOf(node); at !== undefined && at !== body; at = parentOf(at)) {
        if (held(at).text > MOST_TEXT) break
        ways.set(at, (ways.get(at) ?? 0) + 1)
        if (kind === 'step') steps.set(at, (steps.get(at) ?? 0) + 1)
      }
    }
    return false
  })
  const bars: Element[] = []
  const found = new Set<Element>()
  for (const [element, count] of ways) {
    if (count < 2 || (steps.get(element) ?? 0) === 0 || element.children.filter(isElement).some((c) => isBar(c)))
      continue
    if (findElement(element, ({ name }) => HOLDS_TEXT.has(name)) !== undefined) continue
    const bar = widen(element, body, held)
    if (found.has(bar)) continue
    found.add(bar)
    bars.push(bar)
  }
  return bars

  function isBar(element: Element): boolean {
    return (ways.get(element) ?? 0) >= 2 && (steps.get(element) ?? 0) > 0
  }
}

const HOLDS_TEXT: ReadonlySet<string> = new Set('h1 h2 h3 h4 h5 h6 pre dl blockquote'.split(' '))

/** From the line of the links to the table that it is in, and to what is only around that. */
function widen(element: Element, body: Element, held: Holding): Element {
  let bar = element
  for (let at = parentOf(bar); at !== undefined && at !== body; at = parentOf(at)) {
    const { text } = held(at)
    const isTable = PARTS_OF_TABLES.has(bar.name) && text <= MOST_TEXT
    if (!isTable && text > held(bar).text) break
    bar = at
  }
  return bar
}

function wayOf(link: Element): 'step' | 'place' | undefined {
  const relation = link.attribs['rel'] ?? ''
  if (/(?:^|\s)(?:prev|previous|next)(?:\s|$)/i.test(relation)) return 'step'
  const image = findElement(link, ({ name, attribs }) => name === 'img' && attribs['alt'] !== undefined)
  const said = collapse(`${textOf(link)} ${image?.attribs['alt'] ?? ''}`)
  if (said.length > 40) return undefined
  if (STEP_SIGN.test(said)) return 'step'
  const name = said.replace(/^[^\p{L}?]+|[^\p{L}?]+$/gu, '')
  return STEP.test(name) ? 'step' : PLACE.test(name) ? 'place' : undefined
}

const parentOf = ({ parent }: Element): Element | undefined =>
  parent !== null && isElement(parent) ? parent : undefined
