import { type Element, collapse, findElement, isElement, isText, textOf, walk } from '../../html/tree.js'
import type { MeasureOf } from '../rules/measure.js'

/** What a link to the page before or after is called, without the signs around it. */
const STEP = /^(?:prev|previous|next|back|forward)(?: (?:page|chapter|section|topic|node|part))?$/i
const STEP_SIGN = /^\[?\s*(?:<<?|>>?|[«»‹›←→⇐⇒◀▶⟵⟶])\s*\]?$/

/** What stands beside it. */
const PLACE = /^(?:up|home|top|first|last|contents|(?:table of )?contents|toc|(?:general )?index|start|about|\?)$/i

/** A bar of ways has no more text than this: the titles of the pages that it leads to. Characters. */
const MAX_TEXT = 600

/** So many elements around a link may be the bar: its cell, row and table, or an item and its list. */
const MAX_AROUND = 6

const PARTS_OF_TABLES: ReadonlySet<string> = new Set(['tr', 'td', 'th', 'tbody', 'thead', 'tfoot'])

/**
 * The bars with the ways to the pages before, after and above, as books in HTML have them over and under their text: "Prev Up Home
 * Next", `[ << ] [ < ] [ Up ] [ > ]`. Found by the links themselves: by their relation, key or class, or by what they are called.
 *
 * @returns the outermost elements that hold nothing else
 */
export function findPrevNextLinks(body: Element, isCleared: (element: Element) => boolean, held: MeasureOf): Element[] {
  const counts = new Map<Element, Count>()
  walk(body, (node) => {
    if (!isElement(node) || isCleared(node)) return false
    if (node.name !== 'a' || node.attribs['href'] === undefined) return true
    const kind = wayOf(node)
    // Counted in all that may be a bar around it, and no further.
    let at = parentOf(node)
    for (let up = 0; up < MAX_AROUND && at !== undefined && at !== body && held(at).text <= MAX_TEXT; up += 1) {
      const count = counts.get(at) ?? { links: 0, ways: 0, steps: 0 }
      count.links += 1
      if (kind !== undefined) count.ways += 1
      if (kind === 'step') count.steps += 1
      counts.set(at, count)
      at = parentOf(at)
    }
    return false
  })
  const isBar = (element: Element): boolean => {
    const { links, ways, steps } = counts.get(element) ?? { links: 0, ways: 0, steps: 0 }
    return steps > 0 && ways >= 2 && ways >= 0.5 * links
  }
  const bars = new Set<Element>()
  for (const element of counts.keys()) {
    if (!isBar(element) || element.children.some((child) => isElement(child) && isBar(child))) continue
    if (findElement(element, ({ name }) => HOLDS_TEXT.has(name)) === undefined) bars.add(widen(element, body, held))
  }
  return [...bars]
}

/** Of the links in an element: all, those that lead on, up or back, and those of them to the pages before and after. */
interface Count {
  links: number
  ways: number
  steps: number
}

const HOLDS_TEXT: ReadonlySet<string> = new Set('h1 h2 h3 h4 h5 h6 pre dl blockquote'.split(' '))

/** From the line of the links to the table that it is in, and to what is only around that. */
function widen(element: Element, body: Element, held: MeasureOf): Element {
  let bar = element
  for (let at = parentOf(bar); at !== undefined && at !== body; at = parentOf(at)) {
    const { text } = held(at)
    const isTable = PARTS_OF_TABLES.has(bar.name) && text <= MAX_TEXT
    if (!isTable && text > held(bar).text) break
    bar = at
  }
  return bar
}

function wayOf(link: Element): 'step' | 'place' | undefined {
  const { rel, accesskey, class: names } = link.attribs
  if (
    /(?:^|\s)(?:prev|previous|next)(?:\s|$)/i.test(
      `${rel ?? ''} ${names ?? ''} ${parentOf(link)?.attribs['class'] ?? ''}`,
    )
  )
    return 'step'
  if (accesskey !== undefined)
    return /^[np]$/i.test(accesskey) ? 'step' : /^[uhtic]$/i.test(accesskey) ? 'place' : undefined
  // What is written as code is a name in a program: `next()`.
  if (findElement(link, ({ name }) => name === 'code' || name === 'tt') !== undefined) return undefined
  const image = findElement(link, ({ name, attribs }) => name === 'img' && attribs['alt'] !== undefined)
  const said = collapse(`${textOf(link)} ${image?.attribs['alt'] ?? ''}`)
  return said.length > MAX_NAME ? wayBefore(link) : (wayCalled(said) ?? wayBefore(link))
}

/** "Next: the title of the page". */
function wayBefore({ prev }: Element): 'step' | 'place' | undefined {
  if (prev === null || !isText(prev)) return undefined
  const label = /(\p{L}+)\s*:\s*$/u.exec(prev.data.slice(-MAX_NAME))?.[1]
  return label === undefined ? undefined : wayCalled(label)
}

function wayCalled(said: string): 'step' | 'place' | undefined {
  if (STEP_SIGN.test(said)) return 'step'
  const name = said.replace(/^[^\p{L}?]+|[^\p{L}?]+$/gu, '')
  return STEP.test(name) ? 'step' : PLACE.test(name) ? 'place' : undefined
}

/** No way is called by more than this, if not by a title. Characters. */
const MAX_NAME = 40

const parentOf = ({ parent }: Element): Element | undefined =>
  parent !== null && isElement(parent) ? parent : undefined
